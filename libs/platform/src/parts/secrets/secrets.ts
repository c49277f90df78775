import {
  installationOf,
  nameInstallation,
  openContentKeys,
  openSecretStore,
  requireKey,
  resealLogSecrets,
  resealSecrets,
} from '@app/adapters/read-model-postgres';
import { replaceableBox, WRAPPING } from '@app/adapters/secret-box';
import { logLine } from '../../log-problem.js';
import { part } from '../parts.js';
import { KeyReload } from './key-reload.js';
import { keyStoresOf, secretKeys } from './secret-keys.js';

/**
 * The box that seals secrets with the key of the installation, the keys of content, which it wraps, and the named secrets of
 * tenants.
 */
export const SECRETS = [
  part('unwrap', ['config'], ({ config }) => keyStoresOf(config)),
  part(
    'box',
    ['config', 'servers', 'database', 'onProblem', 'unwrap'],
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
  part(
    'keys',
    ['config', 'database', 'box', 'servers', 'joined', 'closers'],
    async ({ config, database, box, servers, joined, closers }) => {
      const isAlone = servers.ownFolder !== undefined && joined === undefined;
      const cacheMs = config.PALIMPSEST_KEY_CACHE_SECONDS * 1_000;
      const keys = await openContentKeys(database, box, WRAPPING, { cacheMs, isAlone });
      closers.add(() => keys.close());
      return keys;
    },
  ),
  part(
    'keyReload',
    ['config', 'servers', 'database', 'box', 'keys', 'onProblem', 'closers', 'unwrap'],
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
  part('secrets', ['database', 'box'], ({ database, box }) => openSecretStore(database, box)),
];
