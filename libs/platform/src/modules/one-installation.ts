import { randomUUID } from 'node:crypto';
import type { LogInstallation } from '@app/adapters/event-store-db';
import { installationOf, nameInstallation, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { AppError } from '@app/kernel';
import type { SecretBox } from '@app/ports';

/**
 * Requires that the log, the database and the keys belong to one installation, and names a new one in all of them. The log is
 * named first: a start that is killed in between leaves an unused log with a name, which the next start takes over.
 *
 * @throws {AppError} `installation-mismatch`, before anything was written.
 */
export const requireOneInstallation = async (
  log: LogInstallation,
  database: Pick<ReadModelDatabase, 'db'>,
  box: Pick<SecretBox, 'prefix' | 'seal'>,
): Promise<void> => {
  const [ofLog, ofDatabase] = await Promise.all([log.id(), installationOf(database)]);
  if (ofDatabase && ofLog !== ofDatabase.id)
    throw mismatch(
      `the database belongs to installation ${ofDatabase.id}, and the event log to ${ofLog ?? 'none'}`,
    );
  if (!ofDatabase && ofLog !== undefined && (await log.hasSessions()))
    throw mismatch(`the event log belongs to installation ${ofLog}, and the database is new and has no keys`);
  await nameInstallation(database, ofLog ?? (await log.name(randomUUID())), box);
};

const mismatch = (what: string): AppError =>
  new AppError('installation-mismatch', `${what}: give the event log and the database of one installation`);
