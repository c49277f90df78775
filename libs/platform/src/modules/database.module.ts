import { migrate, openDatabase, requireNoRestore } from '@app/adapters/read-model-postgres';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../providers.js';
import { CLOSERS, DATABASE, SERVERS } from '../symbols.js';
import { ServersModule } from './servers.module.js';

/** The connection to PostgreSQL, with the schema up to date. */
@Module({
  imports: [ServersModule],
  providers: [
    factoryProvider(DATABASE, { servers: SERVERS, closers: CLOSERS }, async ({ servers, closers }) => {
      const database = openDatabase(servers.postgresUrl);
      closers.add(() => database.close());
      await migrate(database.db);
      await requireNoRestore(database.db);
      return database;
    }),
  ],
  exports: [DATABASE],
})
export class DatabaseModule {}
