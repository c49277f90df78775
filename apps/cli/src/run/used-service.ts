import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '@app/kernel';
import type { Interruption } from '../interruption.js';
import { configFrom, type GlobalOptions } from '../options.js';
import { remoteSettings } from '../remote/remote-settings.js';
import type { Agent } from './agents.js';
import { serviceOn } from './known-service.js';
import { keyOfRuns, shared, startService } from './start-service.js';
import { requireUpstream } from './upstreams.js';

/** The service of a run. */
export type UsedService = {
  readonly url: string;
  readonly apiKey: string;
  /** Stops a service that was started for runs when its last run ends. */
  readonly leave: () => Promise<void>;
};
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the configured service, else the one that runs on the data folder, else a new one on the folder.
 *
 * @throws {AppError} `unauthenticated` if the running service takes none of the known keys; `upstream-unreachable` if a new one
 * could not serve the agent; and as the start does.
 */
export const openService = async (
  agent: Agent,
  options: GlobalOptions,
  env: Environment,
  interruption: Interruption,
): Promise<UsedService> => {
  const remote = remoteSettings(options, env);
  const none = async (): Promise<void> => {};
  if (remote) {
    const { url, apiKey } = remote;
    if (await accepts(url, apiKey)) return { url: url.replace(/\/+$/, ''), apiKey, leave: none };
    throw new AppError(
      'unauthenticated',
      'the service does not accept the API key: set PALIMPSEST_API_KEY to a valid one',
    );
  }
  const folder = folderOf(options, env);
  const known = await serviceOn(folder);
  if (!known) {
    const settings = withUpstreams(env);
    // The service takes its key from a file.
    await requireUpstream(agent, await configFrom(options, { ...settings, PALIMPSEST_API_KEY: '' }));
    return startService(folder, settings, interruption);
  }
  const ofRuns = await keyOfRuns(folder);
  if (ofRuns !== undefined && (await accepts(known.url, ofRuns)))
    return shared(folder, { ...known, apiKey: ofRuns });
  for (const key of [env.PALIMPSEST_API_KEY, await firstKeyIn(folder)])
    if (key && (await accepts(known.url, key))) return { url: known.url, apiKey: key, leave: none };
  throw new AppError(
    'unauthenticated',
    `a service runs at ${known.url}, and its key is not known here: set PALIMPSEST_API_KEY to one of its keys`,
  );
};

/** Returns the data folder of a command, as an absolute path. */
export const folderOf = ({ data }: Pick<GlobalOptions, 'data'>, env: Environment): string =>
  resolve(data ?? (env.PALIMPSEST_DATA || '.palimpsest'));

/** Returns the settings with the servers that the agent would call without the gateway as its upstreams. */
export const withUpstreams = (env: Environment): Environment => ({
  ...env,
  ...(env.ANTHROPIC_BASE_URL && {
    PALIMPSEST_GATEWAY_ANTHROPIC: env.PALIMPSEST_GATEWAY_ANTHROPIC || env.ANTHROPIC_BASE_URL,
  }),
  ...(env.OPENAI_BASE_URL && {
    PALIMPSEST_GATEWAY_OPENAI: env.PALIMPSEST_GATEWAY_OPENAI || env.OPENAI_BASE_URL,
  }),
});

const firstKeyIn = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'first-api-key'), 'utf8').catch(() => '')).trim();

/** Whether a service accepts a key. @throws {AppError} `service-unreachable`. */
export const accepts = async (url: string, apiKey: string): Promise<boolean> => {
  const answer = await fetch(new URL('/v1/whoami', url), {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(10_000),
  }).catch((cause: unknown) => {
    throw new AppError('service-unreachable', `no service answers at ${url}: start it, or correct --url`, {
      cause,
    });
  });
  return answer.ok;
};
