import { type OpenEventStore, openEventStore } from '@app/adapters/event-store-db';
import { IsoTime } from '@app/kernel';
import type { BlobStore, Clock } from '@app/ports';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { Servers } from '../servers/servers.js';
import { BLOB_STORE, CLOSERS, EVENT_STORE, SERVERS } from '../symbols.js';
import { BlobStoreModule } from './blob-store.module.js';
import { ServersModule } from './servers.module.js';

const clock: Clock = { now: () => IsoTime(new Date()) };

const open = ({ eventStoreUrl }: Servers, blobs: BlobStore, closers: Closers): OpenEventStore => {
  const store = openEventStore(eventStoreUrl, blobs, clock);
  closers.add(() => store.close());
  return store;
};

/** The log and the subscriptions to it, over the one client of the process. */
@Module({
  imports: [ServersModule, BlobStoreModule],
  providers: [{ provide: EVENT_STORE, useFactory: open, inject: [SERVERS, BLOB_STORE, CLOSERS] }],
  exports: [EVENT_STORE],
})
export class EventStoreModule {}
