import { AppError } from '@app/kernel';
import type { Projector, Subscriptions } from '@app/ports';
import type { ReadModelDatabase } from './database.js';
import { inTurn } from './in-turn.js';
import { isProjectionName, projectionsWith } from './projections/all.js';
import type { SearchDigests } from './projections/audit-events/losses.js';
import { Progress, type ProjectorObserver, type ProjectorParts } from './projector/progress.js';
import { reached } from './projector/reached.js';
import { ProjectorRun } from './projector/run.js';
import { requestRetry } from './projector/stopped-streams.js';
import { compareRows } from './rebuild/compare.js';
import { rebuild } from './rebuild/rebuild.js';
import type { ReadTables } from './rows/read-tables.js';

export type ProjectorOptions = {
  /** Migrated. */
  readonly database: ReadModelDatabase;
  readonly subscriptions: Subscriptions;
  /** Of the names and words that compactions have lost, by which they are searched. */
  readonly digests: SearchDigests;
  readonly observer?: ProjectorObserver;
  /** Called for every failure, including retried ones. */
  readonly onError?: (error: unknown) => void;
};

/**
 * The projector on PostgreSQL. Of all that run on one database, one projects at a time.
 *
 * `run` resolves when its signal aborts. An event that a projection cannot take stops the rows of its stream there, since
 * an audit may not have a hole; all other streams go on. `reached` and `rebuild` throw the reason of their signals.
 */
export const openProjector = ({
  database,
  subscriptions,
  digests,
  observer = {},
  onError = () => {},
}: ProjectorOptions): Projector => {
  const db = database.db.withTables<ReadTables>();
  const parts: ProjectorParts = {
    db,
    subscriptions,
    projections: projectionsWith(digests),
    observer,
    progress: new Progress(),
    onError,
  };
  let running: ProjectorRun | undefined;
  return {
    run: (signal) => {
      running = new ProjectorRun(parts, signal);
      return running.run();
    },
    reread: async () => running?.reread(),
    reached: (position, signal) => reached(parts, position, signal),
    retry: (which) => requestRetry(db, which),
    compare: inTurn((signal) => compareRows(parts, signal)),
    rebuild: async (names, signal, onProgress) => {
      // Names come from a command line: the type promises more than it can hold.
      const unknown = names.find((name) => !isProjectionName(name));
      if (unknown !== undefined)
        throw new AppError('unknown-projection', `no projection is named "${unknown}"`);
      return names.length === 0 ? [] : rebuild(parts, names, signal, onProgress);
    },
  };
};
