import { randomUUID } from 'node:crypto';
import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import { type LogInstallation, type OpenEventStore, openEventStore } from '@app/adapters/event-store-db';
import {
  installationOf,
  migrate,
  nameInstallation,
  openDatabase,
  type ReadModelDatabase,
  requireNoRestore,
} from '@app/adapters/read-model-postgres';
import { LedgerStore, pinnedReads, replayErasures } from '@app/application';
import { AppError, IsoTime, LATE, within } from '@app/kernel';
import type { Clock, SecretBox } from '@app/ports';
import type { Closers } from '../closers.js';
import { RecentEvents } from '../recent/recent-events.js';
import { startServers } from '../servers/servers.js';
import { observeLog } from '../telemetry/observe-log.js';
import { startTracing } from '../telemetry/tracing.js';
import { part } from './parts.js';

/** Milliseconds until an event store without an answer to its first call counts as absent. */
const ANSWER_MAX_MS = 20_000;

/** Servers, database, log and subscriptions, over one client of each in the process. */
export const STORAGE = [
  part('clock', [], () => ({ now: () => IsoTime(new Date()) })),
  // The servers of the parent process, configured, or embedded ones. Tracing starts before them.
  part('servers', ['config', 'closers', 'joined'], async ({ config, closers, joined }) => {
    const tracing = await startTracing(config);
    closers.add(() => tracing.close());
    if (joined) return { ...joined, failure: new Promise<never>(() => {}), stop: async () => {} };
    const servers = await startServers(config);
    closers.add(() => servers.stop());
    return servers;
  }),
  part('database', ['servers', 'closers'], async ({ servers, closers }) => {
    const database = openDatabase(servers.postgresUrl);
    closers.add(() => database.close());
    await migrate(database.db);
    await requireNoRestore(database.db);
    return database;
  }),
  part('blobs', ['database'], ({ database }) => new PostgresBlobStore(database.db)),
  part(
    'store',
    ['servers', 'database', 'box', 'blobs', 'keys', 'clock', 'closers'],
    async ({ servers, database, box, blobs, keys, clock, closers }) => {
      const store = await open(servers.eventStoreUrl, { blobs, keys }, clock, closers);
      await requireOneInstallation(store.installation, database, box);
      // Before anything uses a key: an older backup may have brought erased ones back.
      await replayErasures(new LedgerStore(store.tenantLog), keys);
      return store;
    },
  ),
  part('recent', [], () => new RecentEvents()),
  part('log', ['store', 'recent', 'metrics'], ({ store, recent, metrics }) =>
    pinnedReads(recent.ofLog(observeLog(store.log, metrics, (recorded) => recent.see(recorded)))),
  ),
  part('tenantLog', ['store', 'recent'], ({ store, recent }) => recent.ofLog(store.tenantLog)),
  part('stored', ['store'], ({ store }) => store.storedEvents),
  part('subscriptions', ['store', 'recent'], ({ store, recent }) =>
    recent.ofSubscriptions(store.subscriptions),
  ),
];

/** Sends one call before any work begins, so that a wrong address is reported at once. */
const open = async (
  url: string,
  stores: Parameters<typeof openEventStore>[1],
  clock: Clock,
  closers: Closers,
): Promise<OpenEventStore> => {
  const store = openEventStore(url, stores, clock);
  closers.add(() => store.close());
  const head = await within(ANSWER_MAX_MS, store.subscriptions.head()).catch((error: unknown) => {
    throw error instanceof AppError ? error : unanswered(error);
  });
  if (head === LATE) throw unanswered();
  return store;
};

/** The message omits the address, which may contain a password. */
const unanswered = (cause?: unknown): AppError =>
  new AppError(
    'event-store-unavailable',
    'the event store does not answer: start it, or correct PALIMPSEST_EVENTSTORE_URL',
    { cause },
  );

/**
 * Requires that the log, the database and the keys belong to one installation, and names a new one in all of them. The log is
 * named first: a start that is killed in between leaves an unused log with a name, which the next start takes over.
 *
 * @throws {AppError} `installation-mismatch`, before anything was written.
 */
const requireOneInstallation = async (
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
