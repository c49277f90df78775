import { migrate, openDatabase, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { Servers } from '../servers/servers.js';
import { CLOSERS, DATABASE, SERVERS } from '../symbols.js';
import { ServersModule } from './servers.module.js';

const open = async ({ postgresUrl }: Servers, closers: Closers): Promise<ReadModelDatabase> => {
  const database = openDatabase(postgresUrl);
  closers.add(() => database.close());
  await migrate(database.db);
  return database;
};

/** The connection to Postgres, with the schema up to date. */
@Module({
  imports: [ServersModule],
  providers: [{ provide: DATABASE, useFactory: open, inject: [SERVERS, CLOSERS] }],
  exports: [DATABASE],
})
export class DatabaseModule {}
