import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

export type ProjectionStatus = {
  readonly projection: string;
  /** In the log: everything at or before it is in the rows; `null` before the first event. */
  readonly position: string | null;
  readonly events: number;
  readonly updatedAt: string | null;
  /** Where it has stopped, before an event that it cannot take. */
  readonly stopped: { readonly at: string; readonly position: string | null; readonly error: string } | null;
};

export type SkippedProjection = {
  readonly projection: string;
  readonly position: string;
  readonly session: string;
  readonly revision: number;
};

/** The read models, for operators. */
export class Projections {
  constructor(private readonly http: Transport) {}

  /** How far each has come, and which have stopped. */
  list(options?: CallOptions): Promise<readonly ProjectionStatus[]> {
    return this.http.send('GET', path`/v1/projections`, {}, options);
  }

  /** Lets a stopped one go on without the event that it cannot take; that is itself recorded. */
  skip(
    projection: string,
    event: { readonly position: string; readonly reason: string },
    options?: CallOptions,
  ): Promise<SkippedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/skip`, { body: event }, options);
  }
}
