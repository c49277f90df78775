import { randomUUID } from 'node:crypto';
import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import { type LogInstallation, type OpenEventStore, openEventStore } from '@app/adapters/event-store-db';
import { installationOf, nameInstallation, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { LedgerStore, pinnedReads, replayErasures } from '@app/application';
import { AppError, LATE, within } from '@app/kernel';
import type { Clock, SecretBox } from '@app/ports';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import { factoryProvider } from '../providers.js';
import { RecentEvents } from '../recent/recent-events.js';
import {
  BLOB_STORE,
  CLOCK,
  CLOSERS,
  CONTENT_KEYS,
  DATABASE,
  EVENT_LOG,
  EVENT_STORE,
  METRICS,
  SECRET_BOX,
  SERVERS,
  STORED_EVENTS,
  SUBSCRIPTIONS,
  TENANT_LOG,
} from '../symbols.js';
import { observeLog } from '../telemetry/observe-log.js';
import { DatabaseModule } from './database.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';
import { ServersModule } from './servers.module.js';

/** Milliseconds until an event store without an answer to its first call counts as absent. */
const ANSWER_MAX_MS = 20_000;

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

const STORE = { store: EVENT_STORE, recent: RecentEvents } as const;

/** Stores content that is too large for the log. */
@Module({
  imports: [DatabaseModule],
  providers: [
    factoryProvider(BLOB_STORE, { database: DATABASE }, ({ database }) => new PostgresBlobStore(database.db)),
  ],
  exports: [BLOB_STORE],
})
class BlobStoreModule {}

/** The log and its subscriptions, over the one client of the process. */
@Module({
  imports: [ServersModule, DatabaseModule, BlobStoreModule, SecretBoxModule],
  providers: [
    factoryProvider(
      EVENT_STORE,
      {
        servers: SERVERS,
        database: DATABASE,
        box: SECRET_BOX,
        blobs: BLOB_STORE,
        keys: CONTENT_KEYS,
        ...{ clock: CLOCK, closers: CLOSERS },
      },
      async ({ servers, database, box, blobs, keys, clock, closers }) => {
        const store = await open(servers.eventStoreUrl, { blobs, keys }, clock, closers);
        await requireOneInstallation(store.installation, database, box);
        // Before anything uses a key: an older backup may have brought erased ones back.
        await replayErasures(new LedgerStore(store.tenantLog), keys);
        return store;
      },
    ),
    factoryProvider(RecentEvents, {}, () => new RecentEvents()),
    factoryProvider(EVENT_LOG, { ...STORE, metrics: METRICS }, ({ store, recent, metrics }) =>
      pinnedReads(recent.ofLog(observeLog(store.log, metrics, (recorded) => recent.see(recorded)))),
    ),
    factoryProvider(TENANT_LOG, STORE, ({ store, recent }) => recent.ofLog(store.tenantLog)),
    factoryProvider(STORED_EVENTS, STORE, ({ store }) => store.storedEvents),
    factoryProvider(SUBSCRIPTIONS, STORE, ({ store, recent }) => recent.ofSubscriptions(store.subscriptions)),
  ],
  exports: [RecentEvents, EVENT_STORE, EVENT_LOG, TENANT_LOG, STORED_EVENTS, SUBSCRIPTIONS],
})
export class EventStoreModule {}

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
