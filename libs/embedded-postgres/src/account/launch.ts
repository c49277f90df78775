import type { ForkOptions } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { AppError } from '@app/kernel';
import { OWN_SERVER } from '../failures.js';
import { nativeFolder, programIn } from '../installation/installation.js';
import type { Account } from './account.js';
import { canReach } from './reach.js';

/** Fork options that run the supervisor, and thus PostgreSQL, as the right user. */
export type Launch = Pick<ForkOptions, 'uid' | 'gid' | 'execPath' | 'execArgv'>;

/** For an ordinary user: as the same user. */
export const ordinaryLaunch: Launch = { execArgv: [] };

/**
 * For root: as `account`, which may lack access to a folder on the path to the data or the programs (`mktemp -d` and
 * /root are open to their owner only). Instead of changing those folders' modes, the process keeps one capability of
 * root, which bypasses directory permissions, by means of util-linux's `setpriv`. It is `dac_override`, since
 * containers by default withhold the smaller `dac_read_search`. `no_setuid_fixup` makes access(2), by which initdb
 * looks for its own program, respect it.
 * @throws {AppError} `data-folder-unusable` if the account lacks access, and `setpriv` does not help.
 */
export const rootLaunch = (account: Account, dataDir: string, supervisor: string): Launch => {
  const native = nativeFolder();
  const reachable =
    canReach(dataDir, account, 'folder') &&
    canReach(supervisor, account, 'file') &&
    [process.execPath, programIn(native, 'postgres'), programIn(native, 'initdb')].every((program) =>
      canReach(program, account, 'program'),
    );
  if (reachable) return { ...account, execArgv: [] };

  const asAccount = [...setprivOptions(account), process.execPath];
  // Tried first: `setpriv` may be missing, too old, or not permitted in a container.
  const trial = spawnSync('setpriv', [...asAccount, '--version'], { encoding: 'utf8', cwd: '/' });
  if (trial.status === 0) return { execPath: 'setpriv', execArgv: asAccount };
  const reason = trial.error?.message ?? trial.stderr.trim();
  throw new AppError(
    'data-folder-unusable',
    `PostgreSQL does not run as root, and user ${account.uid} has no access to ${dataDir} or to the program ` +
      `(setpriv: ${reason}): start Palimpsest as an ordinary user, or use folders for program and data that ` +
      `every user may enter, or install setpriv from util-linux 2.33 or newer, ${OWN_SERVER}`,
  );
};

const setprivOptions = ({ uid, gid }: Account): readonly string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--securebits=+no_setuid_fixup',
];
