import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

export type ProjectionStatus = {
  readonly projection: string;
  /** In the log: everything at or before it is in the rows; `null` before the first event. */
  readonly position: string | null;
  readonly events: number;
  readonly updatedAt: string | null;
  /** Streams whose rows are stopped; at most 10,000. */
  readonly stoppedStreams: number;
};

/** A stream of which a projection has stopped the rows, before an event that it cannot take. */
export type StoppedStream = {
  readonly projection: string;
  readonly stream: string;
  readonly tenant: string | null;
  readonly session: string | null;
  /** Of the event, in its stream. */
  readonly revision: number;
  /** Of the event, in the log. */
  readonly position: string;
  readonly type: string;
  /** Since when. */
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
  /** Stopped streams that are tried again. */
  readonly streams: number;
};

/** The read models, for operators. */
export class Projections {
  constructor(private readonly http: Transport) {}

  /** How far each has come, and how many streams it has stopped. */
  list(options?: CallOptions): Promise<readonly ProjectionStatus[]> {
    return this.http.send('GET', path`/v1/projections`, {}, options);
  }

  /** Streams of all tenants whose rows are stopped, in the order of the log. */
  stopped(
    query: { readonly projection?: string; readonly after?: string; readonly limit?: number } = {},
    options?: CallOptions,
  ): Promise<StoppedStreamPage> {
    return this.http.send('GET', path`/v1/projections/stopped`, { query }, options);
  }

  /** Has stopped streams tried again: the one that is stopped before an event, or all of the projection. */
  retry(
    projection: string,
    event: { readonly position?: string } = {},
    options?: CallOptions,
  ): Promise<RetriedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/retry`, { body: event }, options);
  }

  /** Lets the rows of a stopped stream go on without the event that cannot be taken; that is itself recorded. */
  skip(
    projection: string,
    event: { readonly position: string; readonly reason: string },
    options?: CallOptions,
  ): Promise<SkippedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/skip`, { body: event }, options);
  }
}
