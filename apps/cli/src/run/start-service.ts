import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type ErrorCode, isJsonObject, parseJson } from '@app/kernel';
import { z } from 'zod';
import { loadEngine } from '../engine.js';
import type { Interruption } from '../interruption.js';
import { note } from '../output/print.js';
import { Progress } from '../output/progress.js';
import { projectRoot } from '../project-root.js';
import { isAlive, type KnownService, serviceOn } from './known-service.js';

/** Files of the data folder: the key of the service that runs for agents, its log, and the commands that use it. */
const KEY_FILE = 'run-api-key';
const LOG_FILE = 'run.log';
const USERS = 'runs';
/** Milliseconds for the service to start and to stop. */
const START_MS = 120_000;
const STOP_MS = 60_000;
const ASK_AGAIN_MS = 100;

/** A service that this command started, or that another `palimpsest run` started on the same folder. */
export type OwnService = KnownService & {
  readonly apiKey: string;
  /** Stops the service, unless another command uses it. */
  readonly leave: () => Promise<void>;
};

/** Returns the key of a service that an earlier `palimpsest run` started on the folder; `undefined` without one. */
export const keyOfRuns = async (folder: string): Promise<string | undefined> =>
  (await readFile(join(folder, KEY_FILE), 'utf8').catch(() => '')).trim() || undefined;

/**
 * Starts a service on a data folder in a process of its own, so that an interrupt of the agent does not reach it.
 *
 * @throws {AppError} the error with which the service ended; `data-folder-unusable`.
 * @throws {Interrupted} after it has stopped the service.
 */
export const startService = async (
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  interruption: Interruption,
): Promise<OwnService> => {
  const apiKey = await madeKey(folder);
  const progress = new Progress('palimpsest');
  // Once, so that only a terminal shows it: an error of the start is then the only line of a log.
  progress.update({ detail: `starting the service on ${folder}` });
  try {
    const service = await started(folder, env, interruption);
    progress.stop();
    note(`palimpsest: started the service on ${folder}`);
    return await shared(folder, { ...service, apiKey });
  } finally {
    progress.stop();
  }
};

/** Returns the service that it starts, as soon as it answers. @throws {AppError} as {@link startService}. */
const started = async (
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  interruption: Interruption,
): Promise<KnownService> => {
  const log = join(folder, LOG_FILE);
  const handle = await open(log, 'w', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', projectRoot('dist/programs/api.js')], {
    detached: true,
    stdio: ['ignore', 'ignore', handle.fd],
    env: {
      ...env,
      PALIMPSEST_DATA: folder,
      PALIMPSEST_HTTP_PORT: env.PALIMPSEST_HTTP_PORT ?? '0',
      PALIMPSEST_API_KEY: '',
      PALIMPSEST_BOOTSTRAP_KEY_FILE: join(folder, KEY_FILE),
    },
  });
  child.unref();
  await handle.close();
  let isEnded = false;
  child.once('exit', () => {
    isEnded = true;
  });
  child.once('error', () => {
    isEnded = true;
  });
  const until = performance.now() + START_MS;
  try {
    for (;;) {
      interruption.throwIfAsked();
      const service = await serviceOn(folder);
      if (service?.pid === child.pid && service) return service;
      if (isEnded) throw await failureIn(log);
      if (performance.now() > until)
        throw new AppError('service-unreachable', `the service did not start in time: ${log} says more`);
      await pause(ASK_AGAIN_MS);
    }
  } catch (error) {
    child.kill('SIGTERM');
    await stopped(() => isEnded);
    throw error;
  }
};

/** Waits until the service has stopped, or for a while. */
const stopped = async (hasStopped: () => boolean): Promise<void> => {
  const until = performance.now() + STOP_MS;
  while (!hasStopped() && performance.now() < until) await pause(ASK_AGAIN_MS);
};

/** Registers this command as a user of a service that runs for agents. */
export const shared = async (
  folder: string,
  service: KnownService & { readonly apiKey: string },
): Promise<OwnService> => {
  const users = join(folder, USERS);
  await mkdir(users, { recursive: true });
  const own = join(users, String(process.pid));
  const { isRunning, ownIdentity } = await import('@app/embedded-event-store');
  await writeFile(`${own}.new`, JSON.stringify(ownIdentity()));
  await rename(`${own}.new`, own);
  const leave = async (): Promise<void> => {
    await rm(own, { force: true });
    if ((await hasUsers(users, isRunning)) || !isAlive(service.pid)) return;
    process.kill(service.pid, 'SIGTERM');
    await stopped(() => !isAlive(service.pid));
  };
  return { ...service, leave };
};

const identity = z.object({ pid: z.int(), started: z.string(), namespace: z.string().exactOptional() });

/** Whether another command uses the service. Removes files of commands that were killed, whose pid may be another's now. */
const hasUsers = async (
  folder: string,
  isRunning: typeof import('@app/embedded-event-store').isRunning,
): Promise<boolean> => {
  let isUsed = false;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const { data } = identity.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')));
    if (data && isRunning(data)) isUsed = true;
    else if (!name.endsWith('.new')) await rm(file, { force: true });
  }
  return isUsed;
};

/** Returns the key in the folder, or a new one. @throws {AppError} as `openDataFolder`. */
const madeKey = async (folder: string): Promise<string> => {
  const { openDataFolder } = await loadEngine();
  await openDataFolder(folder);
  const known = await keyOfRuns(folder);
  if (known !== undefined) return known;
  const key = `pal_${randomBytes(24).toString('base64url')}`;
  await writeFile(join(folder, KEY_FILE), `${key}\n`, { mode: 0o600 });
  return key;
};

/** Returns the error that a service logged before it ended. */
const failureIn = async (log: string): Promise<AppError> => {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').toReversed();
  for (const line of lines) {
    const said = parseJson(line);
    if (said === undefined || !isJsonObject(said) || said.event !== 'failed') continue;
    const { code, message } = said;
    if (typeof code === 'string' && typeof message === 'string')
      return new AppError(code as ErrorCode, message);
  }
  return new AppError('service-unreachable', `the service ended at its start: ${log} says why`);
};
