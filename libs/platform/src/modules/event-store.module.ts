import { setTimeout as pause } from 'node:timers/promises';
import { type OpenEventStore, openEventStore } from '@app/adapters/event-store-db';
import { AppError } from '@app/kernel';
import type { BlobStore, Clock } from '@app/ports';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { Servers } from '../servers/servers.js';
import { BLOB_STORE, CLOCK, CLOSERS, EVENT_STORE, METRICS, SERVERS } from '../symbols.js';
import type { Metrics } from '../telemetry/metrics.js';
import { observeLog } from '../telemetry/observe-log.js';
import { BlobStoreModule } from './blob-store.module.js';
import { ServersModule } from './servers.module.js';

/** How long a server may take to answer its first call, before it is believed that none is there. */
const ANSWER_MAX_MS = 20_000;

/** Asks once before anything begins to work: a wrong address is told once then, and in words of its own. */
const open = async (
  { eventStoreUrl }: Servers,
  blobs: BlobStore,
  clock: Clock,
  closers: Closers,
  metrics: Metrics,
): Promise<OpenEventStore> => {
  const store = openEventStore(eventStoreUrl, blobs, clock);
  closers.add(() => store.close());
  const answered = new AbortController();
  const silence = pause(ANSWER_MAX_MS, undefined, { signal: answered.signal }).then(() => {
    throw unanswered();
  });
  try {
    await Promise.race([store.subscriptions.head(), silence]);
    return { ...store, log: observeLog(store.log, metrics) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unanswered(error);
  } finally {
    answered.abort();
    await silence.catch(() => undefined);
  }
};

/** The address is not shown: it may hold a password. */
const unanswered = (cause?: unknown): AppError =>
  new AppError(
    'event-store-unavailable',
    'the event store gives no answer that can be used: start it, or correct PALIMPSEST_EVENTSTORE_URL',
    { cause },
  );

/** The log and the subscriptions to it, over the one client of the process. */
@Module({
  imports: [ServersModule, BlobStoreModule],
  providers: [
    { provide: EVENT_STORE, useFactory: open, inject: [SERVERS, BLOB_STORE, CLOCK, CLOSERS, METRICS] },
  ],
  exports: [EVENT_STORE],
})
export class EventStoreModule {}
