import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type { Forked, Pin, Released, Settings } from '../types/messages.js';
import type { AsOf, HoldUntil } from '../types/sessions.js';
import type { JsonObject, PinKind } from '../types/shared.js';

/** The name of a profile, or a profile object. */
export type ProfileSource = string | JsonObject;
export type ResetDone =
  | { readonly session: string; readonly reset: false }
  | {
      readonly session: string;
      readonly reset: true;
      /** ID with which to revert it. */
      readonly compactionId: string;
      readonly clearedMessages: number;
      readonly countedBefore: number;
      readonly countedAfter: number;
      readonly billedBefore: number;
      readonly billedAfter: number;
    };
export type SettingsChange = {
  readonly profile?: ProfileSource;
  /** Single fields of the profile. */
  readonly overrides?: JsonObject;
  readonly window?: number;
  readonly model?: string;
  /** System prompt and tools of the next requests. */
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  /** `null` removes it. */
  readonly title?: string | null;
  readonly project?: string | null;
  /** The labels of these names; `null` removes one. */
  readonly user?: string | null;
  readonly customer?: string | null;
  /** The labels to set; `null` removes one. Others stay. */
  readonly labels?: Readonly<Record<string, string | null>>;
};

/** Management of sessions. */
export class ManagedSessions {
  constructor(protected readonly http: Transport) {}

  changeSettings(session: string, change: SettingsChange, options?: CallOptions): Promise<Settings> {
    return this.http.send('PATCH', path`/v1/sessions/${session}/settings`, { body: change }, options);
  }

  /** Pins content that every request contains and no compaction changes; returns all pins. */
  pin(
    session: string,
    pin: string,
    content: { readonly text: string; readonly kind?: PinKind },
    options?: CallOptions,
  ): Promise<readonly Pin[]> {
    return this.http.send('PUT', path`/v1/sessions/${session}/pins/${pin}`, { body: content }, options);
  }

  unpin(session: string, pin: string, options?: CallOptions): Promise<readonly Pin[]> {
    return this.http.send('DELETE', path`/v1/sessions/${session}/pins/${pin}`, {}, options);
  }

  /** Defers automatic compactions while requests still fit. */
  defer(
    session: string,
    hold: { readonly until: HoldUntil; readonly reason: string },
    options?: CallOptions,
  ): Promise<{ readonly session: string; readonly until: HoldUntil }> {
    return this.http.send('POST', path`/v1/sessions/${session}/defer`, { body: hold }, options);
  }

  release(session: string, reason?: string, options?: CallOptions): Promise<Released> {
    return this.http.send('POST', path`/v1/sessions/${session}/release`, { body: { reason } }, options);
  }

  /** Clears the context down to the current user input; the log keeps everything. */
  reset(
    session: string,
    request: { readonly confirm: boolean; readonly reason?: string },
    options?: CallOptions,
  ): Promise<ResetDone> {
    return this.http.send('POST', path`/v1/sessions/${session}/reset`, { body: request }, options);
  }

  /** Opens a session with the context of this one, now or as of a revision. */
  fork(
    session: string,
    request: { readonly as: string; readonly at?: AsOf },
    options?: CallOptions,
  ): Promise<Forked> {
    return this.http.send('POST', path`/v1/sessions/${session}/fork`, { body: request }, options);
  }

  /** Closes a session permanently; it stays readable. */
  close(
    session: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<{ readonly session: string; readonly closed: true }> {
    return this.http.send('POST', path`/v1/sessions/${session}/close`, { body: { reason } }, options);
  }
}
