import type { ProjectionName, RecordedInLog, StoredEvent, Subscriptions } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import type { Progress } from './progress.js';
import type { StreamStop } from './stopped/stopped-streams.js';

/** Receives the progress and failures of a projector. */
export type ProjectorObserver = {
  /** Around the writing of events that were read from the log together. */
  readonly around?: <Result>(
    events: readonly RecordedInLog<StoredEvent>[],
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** They are in the rows of these projections. */
  readonly applied?: (projections: readonly ProjectionName[], events: number) => void;
  /** The rows of a stream stop before an event, until an operator does something about it. */
  readonly stopped?: (stop: StreamStop) => void;
};

/** The dependencies of a projector. */
export type ProjectorParts = {
  readonly db: Kysely<ReadTables>;
  readonly subscriptions: Subscriptions;
  readonly observer: ProjectorObserver;
  readonly progress: Progress;
  readonly onError: (error: unknown) => void;
};
