import type { ProjectionName, RecordedInLog, StoredEvent, Subscriptions } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import type { Progress } from './progress.js';
import type { SkipLog } from './stopping/skips.js';

/** Who watches what a projector does. */
export type ProjectorObserver = {
  /** Around the writing of events that were read from the log together. */
  readonly around?: <Result>(
    events: readonly RecordedInLog<StoredEvent>[],
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** They are in the rows of these projections. */
  readonly applied?: (projections: readonly ProjectionName[], events: number) => void;
  /** It stands before an event that it cannot take, until somebody does something about it. */
  readonly stopped?: (projection: ProjectionName, error: unknown) => void;
};

/** What a projector works with. */
export type ProjectorParts = {
  readonly db: Kysely<ReadTables>;
  readonly subscriptions: Subscriptions;
  /** Nothing was ever skipped where it is not given. */
  readonly log?: SkipLog;
  readonly observer: ProjectorObserver;
  readonly progress: Progress;
  readonly onError: (error: unknown) => void;
};
