import {
  installationOf,
  openContentKeys,
  requireKey,
  resealSecrets,
} from '@app/adapters/read-model-postgres';
import { openSecretBox, WRAPPING } from '@app/adapters/secret-box';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  CLOSERS,
  CONTENT_KEYS,
  DATABASE,
  ON_PROBLEM,
  SECRET_BOX,
  SERVERS,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { ServersModule } from '../servers.module.js';
import { secretKeys } from './secret-keys.js';

/** The box that seals secrets with the key of the installation, and the keys of content, which it wraps. */
@Module({
  imports: [ServersModule, DatabaseModule],
  providers: [
    factoryProvider(
      SECRET_BOX,
      { config: APP_CONFIG, servers: SERVERS, database: DATABASE, onProblem: ON_PROBLEM },
      async ({ config, servers, database, onProblem }) => {
        const installation = await installationOf(database);
        const box = openSecretBox(await secretKeys(config, servers.ownFolder, installation?.id));
        if (installation && box.prefix !== undefined) requireKey(installation, box);
        // Secrets sealed with an older key, or unsealed, are sealed with the current key before they are read.
        await resealSecrets(database, box, onProblem('secrets'));
        return box;
      },
    ),
    factoryProvider(
      CONTENT_KEYS,
      { database: DATABASE, box: SECRET_BOX, servers: SERVERS, closers: CLOSERS },
      async ({ database, box, servers, closers }) => {
        const keys = await openContentKeys(database, box, WRAPPING, servers.ownFolder !== undefined);
        closers.add(() => keys.close());
        return keys;
      },
    ),
  ],
  exports: [SECRET_BOX, CONTENT_KEYS],
})
export class SecretBoxModule {}
