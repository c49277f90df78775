import {
  installationOf,
  nameInstallation,
  openContentKeys,
  requireKey,
  resealLogSecrets,
  resealSecrets,
} from '@app/adapters/read-model-postgres';
import { replaceableBox, WRAPPING } from '@app/adapters/secret-box';
import { Module } from '@nestjs/common';
import { logLine } from '../../log-problem.js';
import { factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  CLOSERS,
  CONTENT_KEYS,
  DATABASE,
  JOINED_SERVERS,
  KEY_RELOAD,
  ON_PROBLEM,
  SECRET_BOX,
  SERVERS,
  UNWRAP_KEY,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { ServersModule } from '../servers.module.js';
import { KeyReload } from './key-reload.js';
import { keyStoresOf, secretKeys } from './secret-keys.js';

/** The box that seals secrets with the key of the installation, and the keys of content, which it wraps. */
@Module({
  imports: [ServersModule, DatabaseModule],
  providers: [
    factoryProvider(UNWRAP_KEY, { config: APP_CONFIG }, ({ config }) => keyStoresOf(config)),
    factoryProvider(
      SECRET_BOX,
      {
        config: APP_CONFIG,
        servers: SERVERS,
        database: DATABASE,
        onProblem: ON_PROBLEM,
        unwrap: UNWRAP_KEY,
      },
      async ({ config, servers, database, onProblem, unwrap }) => {
        const installation = await installationOf(database);
        const box = replaceableBox(
          await secretKeys(config, servers.ownFolder, installation === undefined, unwrap),
        );
        if (installation && box.prefix !== undefined) requireKey(installation, box);
        // Secrets sealed with an older key, or unsealed, are sealed with the current key before they are read.
        await resealSecrets(database, box, onProblem('secrets'));
        return box;
      },
    ),
    factoryProvider(
      CONTENT_KEYS,
      {
        config: APP_CONFIG,
        database: DATABASE,
        box: SECRET_BOX,
        servers: SERVERS,
        ...{ joined: JOINED_SERVERS, closers: CLOSERS },
      },
      async ({ config, database, box, servers, joined, closers }) => {
        const isAlone = servers.ownFolder !== undefined && joined === undefined;
        const cacheMs = config.PALIMPSEST_KEY_CACHE_SECONDS * 1_000;
        const keys = await openContentKeys(database, box, WRAPPING, { cacheMs, isAlone });
        closers.add(() => keys.close());
        return keys;
      },
    ),
    factoryProvider(
      KEY_RELOAD,
      {
        config: APP_CONFIG,
        servers: SERVERS,
        database: DATABASE,
        box: SECRET_BOX,
        keys: CONTENT_KEYS,
        ...{ onProblem: ON_PROBLEM, closers: CLOSERS, unwrap: UNWRAP_KEY },
      },
      ({ config, servers, database, box, keys, onProblem, closers, unwrap }) => {
        const reload = new KeyReload({
          box,
          onError: onProblem('keys'),
          read: () => secretKeys(config, servers.ownFolder, false, unwrap),
          requireKey: async (next) => {
            const installation = await installationOf(database);
            if (installation) requireKey(installation, next);
          },
          reseal: async () => {
            const installation = await installationOf(database);
            if (installation) await nameInstallation(database, installation.id, box);
            await keys.rewrap();
            await resealSecrets(database, box, onProblem('secrets'));
            await resealLogSecrets(database, box);
          },
          onReloaded: ([sealing]) => logLine('info', { event: 'keys-reloaded', key: sealing?.id }),
        });
        closers.add(() => reload.close());
        return reload;
      },
    ),
  ],
  exports: [SECRET_BOX, CONTENT_KEYS],
})
export class SecretBoxModule {}
