import type {
  ChangeSettingsRequest,
  Closed,
  DeferCompactionsRequest,
  Deferred,
  Forked,
  ForkSessionRequest,
  Pin,
  PinContentRequest,
  Released,
  ResetDone,
  ResetSessionRequest,
  Settings,
} from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** Management of sessions. */
export class ManagedSessions {
  constructor(protected readonly http: Transport) {}

  changeSettings(session: string, change: ChangeSettingsRequest, options?: CallOptions): Promise<Settings> {
    return this.http.send('PATCH', path`/v1/sessions/${session}/settings`, { body: change }, options);
  }

  /** Pins content that every request contains and no compaction changes; returns all pins. */
  pin(
    session: string,
    pin: string,
    content: PinContentRequest,
    options?: CallOptions,
  ): Promise<readonly Pin[]> {
    return this.http.send('PUT', path`/v1/sessions/${session}/pins/${pin}`, { body: content }, options);
  }

  unpin(session: string, pin: string, options?: CallOptions): Promise<readonly Pin[]> {
    return this.http.send('DELETE', path`/v1/sessions/${session}/pins/${pin}`, {}, options);
  }

  /** Defers automatic compactions while requests still fit. */
  defer(session: string, hold: DeferCompactionsRequest, options?: CallOptions): Promise<Deferred> {
    return this.http.send('POST', path`/v1/sessions/${session}/defer`, { body: hold }, options);
  }

  release(session: string, reason?: string, options?: CallOptions): Promise<Released> {
    return this.http.send('POST', path`/v1/sessions/${session}/release`, { body: { reason } }, options);
  }

  /** Clears the context down to the current user input; the log keeps everything. */
  reset(session: string, request: ResetSessionRequest, options?: CallOptions): Promise<ResetDone> {
    return this.http.send('POST', path`/v1/sessions/${session}/reset`, { body: request }, options);
  }

  /** Opens a session with the context of this one, now or as of a revision. */
  fork(session: string, request: ForkSessionRequest, options?: CallOptions): Promise<Forked> {
    return this.http.send('POST', path`/v1/sessions/${session}/fork`, { body: request }, options);
  }

  /** Closes a session permanently; it stays readable. */
  close(session: string, reason?: string, options?: CallOptions): Promise<Closed> {
    return this.http.send('POST', path`/v1/sessions/${session}/close`, { body: { reason } }, options);
  }
}
