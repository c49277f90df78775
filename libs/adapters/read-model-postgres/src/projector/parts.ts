import type { Subscriptions } from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import type { Progress } from './progress.js';

/** What a projector works with. */
export type ProjectorParts = {
  readonly db: Kysely<ReadTables>;
  readonly subscriptions: Subscriptions;
  readonly progress: Progress;
  readonly onError: (error: unknown) => void;
};
