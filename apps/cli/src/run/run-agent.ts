import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PalimpsestClient } from '@app/client';
import { profileNamed } from '@app/domain';
import { AppError } from '@app/kernel';
import { Interruption } from '../interruption.js';
import type { GlobalOptions } from '../options.js';
import { note } from '../output/print.js';
import { answered } from '../remote/remote-error.js';
import { remoteSettings } from '../remote/remote-settings.js';
import { type Agent, installOf, type Setup } from './agents.js';
import { programOnPath } from './program-on-path.js';
import { headersOf, type RunHeaders } from './run-headers.js';
import { savedSince } from './saved.js';
import { openService, type UsedService } from './used-service.js';

export type RunOptions = GlobalOptions &
  RunHeaders & {
    readonly label: Readonly<Record<string, string>>;
  };

/**
 * Returns the exit code of the agent: its own, or 128 and the number of the signal that ended it.
 *
 * @throws {Interrupted} before the agent starts; afterwards an interrupt spares the summary alone.
 */
export const runAgent = async (
  agent: Agent,
  args: readonly string[],
  options: RunOptions,
): Promise<number> => {
  if ((await programOnPath(agent.program, process.env)) === undefined) throw notFound(agent);
  const isRemote = remoteSettings(options, process.env) !== undefined;
  if (!isRemote && options.profile !== undefined) profileNamed(options.profile);
  const startedAt = Date.now();
  let interruption = new Interruption();
  try {
    const service = await openService(agent, options, process.env, interruption);
    try {
      if (isRemote) await requireProfile(options, service);
      const key = await keyFor(agent, service);
      const headers = headersOf(agent, options, key.apiKey);
      const setup = await agent.setup?.({ url: service.url, headers }, process.env);
      try {
        interruption.throwIfAsked();
        // Meanwhile signals are the agent's.
        interruption.forget();
        const code = await ended(agent, setup, args).finally(() => {
          interruption = new Interruption();
        });
        const summary = savedSince(startedAt, agent, service, options).catch(withoutSummary);
        const lines = await Promise.race([summary, interruption.happened]).catch(() => undefined);
        if (lines !== undefined) note(lines);
        return code;
      } finally {
        await Promise.all([setup?.remove?.(), key.revoke()]);
      }
    } finally {
      await service.leave();
    }
  } finally {
    interruption.forget();
  }
};

const withoutSummary = (error: unknown): string =>
  `palimpsest: saved; the service did not return the summary of the run (${error instanceof Error ? error.message : 'no answer'})`;

/** A remote service may be of another version, with other profiles. @throws {AppError} `unknown-profile`. */
const requireProfile = async ({ profile }: RunOptions, { url, apiKey }: UsedService): Promise<void> => {
  if (profile === undefined) return;
  const { profiles } = new PalimpsestClient({ url, apiKey });
  const names = (await answered(profiles.list())).map(({ name }) => name);
  if (names.includes(profile)) return;
  throw new AppError('unknown-profile', `there is no profile "${profile}": use one of ${names.join(', ')}`);
};

/** Hours after which a key that was not revoked ends. */
const KEY_HOURS = 7 * 24;

/**
 * Issues a key with the role `agent` for one run, so that the agent holds no key of an administrator. A key that may not issue
 * others is used itself.
 */
const keyFor = async (agent: Agent, { url, apiKey }: UsedService) => {
  const { keys } = new PalimpsestClient({ url, apiKey });
  const expiresAt = new Date(Date.now() + KEY_HOURS * 3_600_000).toISOString();
  try {
    const issued = await answered(keys.issue({ role: 'agent', label: `run ${agent.program}`, expiresAt }));
    const revoke = () =>
      keys.revoke(issued.keyId, 'the run has ended').then(
        () => {},
        () => {},
      );
    return { apiKey: issued.key, revoke };
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return { apiKey, revoke: async () => {} };
    throw error;
  }
};

/**
 * Runs the agent on this terminal. The terminal sends an interrupt to the agent itself; other signals are passed on.
 *
 * @throws {AppError} `agent-not-found`.
 */
const ended = (agent: Agent, setup: Setup | undefined, args: readonly string[]): Promise<number> =>
  new Promise((done, fail) => {
    const child = spawn(agent.program, [...(setup?.args ?? []), ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...setup?.env },
    });
    const ignore = (): void => {};
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', ignore).on('SIGTERM', pass).on('SIGHUP', pass);
    const settle = (): void => {
      process.off('SIGINT', ignore).off('SIGTERM', pass).off('SIGHUP', pass);
    };
    child.once('error', (cause) => {
      settle();
      fail(notFound(agent, cause));
    });
    child.once('close', (code, signal) => {
      settle();
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });

const notFound = (agent: Agent, cause?: unknown): AppError =>
  new AppError(
    'agent-not-found',
    `${agent.program} cannot be started: install it with ${installOf(agent, process.versions.node)}, or put it on the PATH`,
    { cause },
  );
