import { Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { AppConfig } from '../config.js';
import { type Servers, startServers } from '../servers/servers.js';
import { APP_CONFIG, CLOSERS, SERVERS } from '../symbols.js';

const start = async (config: AppConfig, closers: Closers): Promise<Servers> => {
  const servers = await startServers(config);
  closers.add(() => servers.stop());
  return servers;
};

/** The event store and the database: embedded ones, unless the configuration names others. */
@Module({
  providers: [{ provide: SERVERS, useFactory: start, inject: [APP_CONFIG, CLOSERS] }],
  exports: [SERVERS],
})
export class ServersModule {}
