import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError, ownMember } from '@app/kernel';
import type { AppConfig } from '@app/platform';
import { loadEngine } from '../engine.js';
import { answered } from '../remote/remote-error.js';
import type { RemoteSettings } from '../remote/remote-settings.js';
import { AGENTS, type Agent, installOf, isNodeAtLeast } from '../run/agents.js';
import { answers, type KnownService } from '../run/known-service.js';
import { programOnPath } from '../run/program-on-path.js';
import { isReachable, PROVIDERS } from '../run/upstreams.js';
import { accepts } from '../run/used-service.js';

/** Outcome of a check: `fail` prevents the use of the service, `warn` the use of a part. */
export type CheckResult = {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** The finding, in one sentence. */
  readonly found: string;
  /** The remedy; `null` without one. */
  readonly advice: string | null;
};

export const ok = (check: string, found: string): CheckResult => ({
  check,
  status: 'ok',
  found,
  advice: null,
});
const warn = (check: string, found: string, advice: string): CheckResult => ({
  ...{ check, status: 'warn' as const, found, advice },
});
export const fail = (check: string, found: string, advice: string): CheckResult => ({
  ...{ check, status: 'fail' as const, found, advice },
});
/** Returns a refusal as a result: its message ends with the remedy, behind a colon. */
export const refused = (check: string, { message }: AppError, remedy: string): CheckResult => {
  const [, found = message, advice = remedy] = /^(.*): (.*)$/s.exec(message) ?? [];
  return fail(check, found, advice);
};

/** The oldest supported version, as `engines` in package.json says. */
const LEAST = [20, 19] as const;

/** @param version such as `20.19.0`. */
export const checkNode = (version: string): CheckResult =>
  isNodeAtLeast(version, LEAST)
    ? ok('node', `Node ${version}`)
    : fail(
        'node',
        `Node ${version} is too old`,
        `install Node ${LEAST.join('.')} or newer from https://nodejs.org`,
      );

/** Checks that the configured keys of the installation can be read, and that the key store that has encrypted them decrypts them. */
export const checkKeys = async (config: AppConfig): Promise<CheckResult> => {
  const { readableKeyFiles, secretKeys } = await loadEngine();
  try {
    const { length } = await secretKeys(config, undefined, false);
    const [readable] = readableKeyFiles(config);
    if (readable)
      return warn(
        'keys',
        `${readable.file} can be opened by every user of this machine (mode ${readable.mode})`,
        readable.remedy,
      );
    return ok('keys', length === 0 ? 'in the data folder' : `${length} configured, and readable`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refused('keys', error, 'see "Keys" in docs/guides/operating.md');
  }
};

/** Checks that the port of the service is free, or that the service itself listens on it. */
export const checkPort = async (
  host: string,
  port: number,
  service: KnownService | undefined,
): Promise<CheckResult> => {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return ok('port', 'any free port');
  if (service?.url === url) return ok('port', `${url}, used by the service`);
  const problem = await listen(host, port);
  if (problem === undefined) return ok('port', `${url} is free`);
  if (problem === 'EADDRINUSE' && (await answers(url))) return ok('port', `a service answers at ${url}`);
  const advice = 'set PALIMPSEST_HTTP_PORT or --port to another, or to 0 for any free one';
  return problem === 'EADDRINUSE'
    ? fail('port', `${url} is used by another program`, advice)
    : fail('port', `${url} cannot be used (${problem})`, `correct PALIMPSEST_HTTP_HOST, or ${advice}`);
};

/** Returns the code of the error with which a server cannot listen; `undefined` if it can. */
const listen = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.name));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });

/** Free bytes below which the embedded servers may fill the disk soon. */
const FREE_MIN = 1_000_000_000;

/** Checks the data folder without creating it. */
export const checkFolder = async (
  folder: string,
  service: KnownService | undefined,
): Promise<CheckResult> => {
  const elsewhere = 'choose another with --data or PALIMPSEST_DATA';
  const existing = await nearest(folder);
  if (!(await stat(existing)).isDirectory())
    return fail('data folder', `${existing} is no folder`, elsewhere);
  const isWritable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return fail('data folder', `${existing} is not writable`, `make it writable, or ${elsewhere}`);
  // The service also takes a folder with other files.
  if (await exists(join(folder, 'format.json'))) {
    const { openDataFolder } = await loadEngine();
    try {
      await openDataFolder(folder);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return refused('data folder', error, elsewhere);
    }
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  if (free < FREE_MIN)
    return warn(
      'data folder',
      `${folder} has ${Math.floor(free / 1_000_000)} MB free`,
      `free some space, or ${elsewhere}`,
    );
  if (service) return ok('data folder', `${folder}, used by the service at ${service.url}`);
  return ok('data folder', existing === folder ? folder : `${folder}, created at the first start`);
};

/** Returns the nearest folder that exists: the given one, or one above it. */
const nearest = async (folder: string): Promise<string> => {
  if (await exists(folder)) return folder;
  return dirname(folder) === folder ? folder : nearest(dirname(folder));
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Milliseconds for an agent to print its version. */
const VERSION_MS = 15_000;

/** Checks which agents are installed. None is needed, so a missing one is no fault. */
export const checkAgents = (
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly CheckResult[]> =>
  Promise.all(Object.values(AGENTS).map((agent) => checkAgent(agent, env)));

const checkAgent = async (
  agent: Agent,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckResult> => {
  const { program, setup } = agent;
  const check = `agent ${program}`;
  const install = installOf(agent, process.versions.node);
  const file = await programOnPath(program, env);
  if (file === undefined) return ok(check, `not installed; install it with ${install}`);
  const version = await versionOf(file);
  if (version === undefined)
    return warn(
      check,
      `${file} does not print its version`,
      `run \`${program} --version\`, or install it anew with ${install}`,
    );
  return ok(check, setup ? version : `${version}; transcripts are imported after a run`);
};

const versionOf = async (file: string): Promise<string | undefined> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, ['--version'], { timeout: VERSION_MS });
    return /\d+\.\d+[\w.-]*/.exec(`${stdout}\n${stderr}`)?.[0];
  } catch {
    return undefined;
  }
};

/**
 * Checks that upstreams answer, and that agents have a key for each provider. Sends no key. It fails if none answers.
 *
 * @param isRemote whether commands call a service elsewhere, which has upstreams of its own.
 */
export const checkUpstreams = async (
  config: AppConfig,
  env: Readonly<Record<string, string | undefined>>,
  isRemote: boolean,
): Promise<readonly CheckResult[]> => {
  const checked = await Promise.all(
    Object.values(PROVIDERS).map(async (provider) => {
      const servers = isRemote ? [] : config[provider.setting];
      const reached = await Promise.all(servers.map(({ url }) => isReachable(url)));
      return { provider, servers, reached };
    }),
  );
  const unreached = checked.some(({ reached }) => reached.includes(true)) ? warn : fail;
  return checked.flatMap(({ provider: { name, setting, keyVariable }, servers, reached }) => {
    const check = `upstream ${name}`;
    const advice = `check the network, or set ${setting} to a server that answers`;
    const results = servers.map(({ url }, at) =>
      reached[at] ? ok(check, url) : unreached(check, `${url} cannot be reached`, advice),
    );
    const hasKey = servers.some(({ secret }) => secret !== undefined) || Boolean(ownMember(env, keyVariable));
    const key = hasKey
      ? ok(`key ${name}`, `${keyVariable} or a secret of the upstream is set`)
      : warn(
          `key ${name}`,
          `${keyVariable} is not set`,
          `set it, or log in with the agent, for models of ${name}`,
        );
    return [...results, key];
  });
};

/** Checks the service that commands call, or the one on the data folder, and the API key. */
export const checkService = async (
  remote: RemoteSettings | undefined,
  local: KnownService | undefined,
  apiKey: string | undefined,
): Promise<readonly CheckResult[]> => {
  const url = remote?.url ?? local?.url;
  if (url === undefined)
    return [ok('service', 'none runs on the data folder; `palimpsest serve` and `palimpsest run` start one')];
  if (!(await answers(url)))
    return [
      fail(
        'service',
        `none answers at ${url}`,
        'start it with `palimpsest serve`, or correct PALIMPSEST_URL',
      ),
    ];
  const service = ok('service', `running at ${url}`);
  const key = remote?.apiKey ?? apiKey;
  if (key === undefined)
    return [
      service,
      warn(
        'API key',
        'PALIMPSEST_API_KEY is not set',
        'set it; the first key is in `first-api-key` of the data folder',
      ),
    ];
  return [
    service,
    (await answered(accepts(url, key)))
      ? ok('API key', 'accepted by the service')
      : fail(
          'API key',
          'refused by the service',
          'set PALIMPSEST_API_KEY to a valid key; `palimpsest keys add` issues one',
        ),
  ];
};
