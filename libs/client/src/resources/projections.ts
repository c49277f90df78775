import type {
  ListStoppedStreamsQuery,
  ProjectionStatus,
  RetriedProjection,
  RetryStoppedStreamsRequest,
  SkippedProjection,
  SkipStoppedStreamRequest,
  StoppedStream,
} from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type { Page } from './pages.js';

/** Read models, for operators. */
export class Projections {
  constructor(private readonly http: Transport) {}

  /** Lists the projections with their position and stopped streams. */
  list(options?: CallOptions): Promise<readonly ProjectionStatus[]> {
    return this.http.send('GET', path`/v1/projections`, {}, options);
  }

  /** Lists stopped streams of all tenants in log order. */
  stopped(query: ListStoppedStreamsQuery = {}, options?: CallOptions): Promise<Page<StoppedStream>> {
    return this.http.send('GET', path`/v1/projections/stopped`, { query }, options);
  }

  /** Retries stopped streams: the one at an event, or all of the projection. */
  retry(
    projection: string,
    event: RetryStoppedStreamsRequest = {},
    options?: CallOptions,
  ): Promise<RetriedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/retry`, { body: event }, options);
  }

  /** Skips the event that stops a stream; the decision is recorded. */
  skip(
    projection: string,
    event: SkipStoppedStreamRequest,
    options?: CallOptions,
  ): Promise<SkippedProjection> {
    return this.http.send('POST', path`/v1/projections/${projection}/skip`, { body: event }, options);
  }
}
