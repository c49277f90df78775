import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../providers.js';
import { BLOB_STORE, DATABASE } from '../symbols.js';
import { DatabaseModule } from './database.module.js';

/** Stores content that is too large for the log. */
@Module({
  imports: [DatabaseModule],
  providers: [
    factoryProvider(BLOB_STORE, { database: DATABASE }, ({ database }) => new PostgresBlobStore(database.db)),
  ],
  exports: [BLOB_STORE],
})
export class BlobStoreModule {}
