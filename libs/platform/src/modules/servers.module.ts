import { Module } from '@nestjs/common';
import { factoryProvider } from '../providers.js';
import { startServers } from '../servers/servers.js';
import { APP_CONFIG, CLOSERS, SERVERS } from '../symbols.js';
import { startTracing } from '../telemetry/tracing.js';

/** Event store and database: embedded ones by default. Tracing starts before them. */
@Module({
  providers: [
    factoryProvider(SERVERS, { config: APP_CONFIG, closers: CLOSERS }, async ({ config, closers }) => {
      const tracing = await startTracing(config);
      closers.add(() => tracing.close());
      const servers = await startServers(config);
      closers.add(() => servers.stop());
      return servers;
    }),
  ],
  exports: [SERVERS],
})
export class ServersModule {}
