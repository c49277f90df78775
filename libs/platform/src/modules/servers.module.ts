import { Module } from '@nestjs/common';
import { factoryProvider } from '../providers.js';
import { startServers } from '../servers/servers.js';
import { APP_CONFIG, CLOSERS, JOINED_SERVERS, SERVERS } from '../symbols.js';
import { startTracing } from '../telemetry/tracing.js';

const NEEDS = { config: APP_CONFIG, closers: CLOSERS, joined: JOINED_SERVERS } as const;

/** Event store and database: those of the parent process, configured, or embedded ones. Tracing starts before them. */
@Module({
  providers: [
    factoryProvider(SERVERS, NEEDS, async ({ config, closers, joined }) => {
      const tracing = await startTracing(config);
      closers.add(() => tracing.close());
      if (joined) return { ...joined, failure: new Promise<never>(() => {}), stop: async () => {} };
      const servers = await startServers(config);
      closers.add(() => servers.stop());
      return servers;
    }),
  ],
  exports: [SERVERS],
})
export class ServersModule {}
