import { AppError, type SessionId, sessionOf, type TenantId } from '@app/kernel';
import type { ProjectionName, RecordedInLog } from '@app/ports';
import type { Transaction } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

/** An event of the log, with whose session it is. */
export type SessionLogEvent = RecordedInLog & { readonly tenant: TenantId; readonly session: SessionId };

/** Turns events into rows and nothing else: whether and when is not its business. */
export type Projection = {
  readonly name: ProjectionName;
  /** All that it writes to; the first one is the read model, others are what it keeps for counting on. */
  readonly tables: readonly [string, ...string[]];
  /**
   * @param events in the order of the log, none of which was applied before; rows depend on their order alone, not
   *   on how they are parted into calls.
   */
  readonly apply: (trx: Transaction<ReadTables>, events: readonly SessionLogEvent[]) => Promise<void>;
};

/** @throws {AppError} `corrupt-event` where the stream's name is none that this service gives. */
export const sessionLogEvent = (recorded: RecordedInLog): SessionLogEvent => {
  const owner = sessionOf(recorded.stream);
  if (owner) return { ...recorded, ...owner };
  throw new AppError(
    'corrupt-event',
    `the event at ${recorded.position} is in a stream that holds no session`,
  );
};
