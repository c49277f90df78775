import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import type { ReadModelDatabase } from '@app/adapters/read-model-postgres';
import type { BlobStore } from '@app/ports';
import { Module } from '@nestjs/common';
import { BLOB_STORE, DATABASE } from '../symbols.js';
import { DatabaseModule } from './database.module.js';

/** Where content goes that is too large for the log. */
@Module({
  imports: [DatabaseModule],
  providers: [
    {
      provide: BLOB_STORE,
      useFactory: ({ db }: ReadModelDatabase): BlobStore => new PostgresBlobStore(db),
      inject: [DATABASE],
    },
  ],
  exports: [BLOB_STORE],
})
export class BlobStoreModule {}
