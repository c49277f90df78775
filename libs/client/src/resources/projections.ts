import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

export type ProjectionStatus = {
  readonly projection: string;
  /** Log position up to which the rows are complete; `null` before the first event. */
  readonly position: string | null;
  readonly events: number;
  readonly updatedAt: string | null;
  /** Streams with stopped rows, up to 10,000. */
  readonly stoppedStreams: number;
};

/** A stream whose rows are stopped at an event that the projection cannot apply. */
export type StoppedStream = {
  readonly projection: string;
  readonly stream: string;
  readonly tenant: string | null;
  readonly session: string | null;
  /** Revision of the event. */
  readonly revision: number;
  /** Log position of the event. */
  readonly position: string;
  readonly type: string;
  /** Time of the stop. */
  readonly at: string;
  /** The code of the error, without content. */
  readonly error: string;
  readonly retryRequested: boolean;
};

export type StoppedStreamPage = { readonly items: readonly StoppedStream[]; readonly next: string | null };

export type SkippedProjection = {
  readonly projection: string;
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
};

export type RetriedProjection = {
  readonly projection: string;
  /** Number of streams that are retried. */
  readonly streams: number;
};

/** Read models, for operators. */
export class Projections {
  constructor(private readonly http: Transport) {}

  /** Lists the projections with their position and stopped streams. */
  list(options?: CallOptions): Promise<readonly ProjectionStatus[]> {
    return this.http.send('GET', path`/v1/projections`, {}, options);
  }

  /** Lists stopped streams of all tenants in log order. */
  stopped(
    query: { readonly projection?: string; readonly after?: string; readonly limit?: number } = {},
    options?: CallOptions,
  ): Promise<StoppedStreamPage> {
    return this.http.send('GET', path`/v1/projections/stopped`, { query }, options);
  }

  /** Retries stopped streams: the one at an event, or all of the projection. */
  retry(
    projection: string,
    event: { readonly position?: string } = {},
    options?: CallOptions,
  ): Promise<RetriedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/retry`, { body: event }, options);
  }

  /** Skips the event that stops a stream; the decision is recorded. */
  skip(
    projection: string,
    event: { readonly position: string; readonly reason: string },
    options?: CallOptions,
  ): Promise<SkippedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/skip`, { body: event }, options);
  }
}
