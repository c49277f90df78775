import type {
  HeldSession,
  LegalHold,
  LegalHolds,
  ListHeldSessionsQuery,
  RemoveRetentionResponse,
  RetentionDefaults,
  RetentionPeriod,
  RetentionRequest,
  SessionProtection,
} from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { itemsOf, type Page } from './pages.js';

/** Retention periods and legal holds, for operators and admins. */
export class Retention {
  constructor(private readonly http: Transport) {}

  /** Returns the retention period and the legal holds of a session. */
  get(session: string, options?: CallOptions): Promise<SessionProtection> {
    return this.http.send('GET', path`/v1/sessions/${session}/retention`, {}, options);
  }

  /**
   * Keeps a session until a date. A reason is required to shorten a period.
   *
   * @throws {PalimpsestError} `retention-locked`.
   */
  set(session: string, period: RetentionRequest, options?: CallOptions): Promise<RetentionPeriod> {
    return this.http.send('PUT', path`/v1/sessions/${session}/retention`, { body: period }, options);
  }

  /** Removes a period in the mode `governance`. @throws {PalimpsestError} `retention-locked`. */
  remove(session: string, reason: string, options?: CallOptions): Promise<RemoveRetentionResponse> {
    const body = { reason };
    return this.http.send('POST', path`/v1/sessions/${session}/retention/remove`, { body }, options);
  }

  /** Returns how long new sessions of the tenant are kept. */
  defaults(options?: CallOptions): Promise<RetentionDefaults> {
    return this.http.send('GET', path`/v1/retention`, {}, options);
  }

  /** Replaces all defaults; open sessions are not concerned. */
  setDefaults(defaults: RetentionDefaults, options?: CallOptions): Promise<RetentionDefaults> {
    return this.http.send('PUT', path`/v1/retention`, { body: defaults }, options);
  }

  /** Returns the legal holds of a session. */
  holds(session: string, options?: CallOptions): Promise<LegalHolds> {
    return this.http.send('GET', path`/v1/sessions/${session}/holds`, {}, options);
  }

  /** Holds a session for a matter; a hold that is placed again changes nothing. */
  hold(session: string, matter: string, reason: string, options?: CallOptions): Promise<LegalHold> {
    const body = { reason };
    return this.http.send('PUT', path`/v1/sessions/${session}/holds/${matter}`, { body }, options);
  }

  /** Releases a hold and returns the holds that remain. @throws {PalimpsestError} `hold-not-found`. */
  release(session: string, matter: string, reason: string, options?: CallOptions): Promise<LegalHolds> {
    const body = { reason };
    return this.http.send('POST', path`/v1/sessions/${session}/holds/${matter}/release`, { body }, options);
  }

  /** Iterates over the sessions of the tenant that are held, latest activity first. */
  held(
    options?: CallOptions & Omit<ListHeldSessionsQuery, 'cursor'>,
  ): AsyncGenerator<HeldSession, void, undefined> {
    return itemsOf((cursor) => this.heldPage({ ...options, ...(cursor !== undefined && { cursor }) }));
  }

  /** Returns one page of the held sessions; `limit` is 100 by default and at most 1,000. */
  heldPage(options: CallOptions & ListHeldSessionsQuery = {}): Promise<Page<HeldSession>> {
    const { matter, limit, cursor } = options;
    return this.http.send('GET', path`/v1/holds`, { query: { matter, limit, cursor } }, options);
  }
}
