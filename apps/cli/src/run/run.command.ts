import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PalimpsestClient } from '@app/client';
import { LADDER_POLICIES, profileNamed } from '@app/domain';
import { AppError, ownMember } from '@app/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { customer, label, profileName, project, title, user } from '../description-options.js';
import { Interruption } from '../interruption.js';
import { type GlobalOptions, windowSize } from '../options.js';
import { note } from '../output/print.js';
import { answered } from '../remote/remote-error.js';
import { remoteSettings } from '../remote/remote-settings.js';
import { AGENTS, type Agent, installOf, type Setup } from './agents.js';
import { programOnPath } from './program-on-path.js';
import { headersOf, type RunHeaders } from './run-headers.js';
import { savedSince } from './saved.js';
import { openService, type UsedService } from './used-service.js';

type Options = GlobalOptions &
  RunHeaders & {
    readonly label: Readonly<Record<string, string>>;
  };

/** `palimpsest run AGENT -- ARGS`: an agent whose requests go through the gateway, for this process only. */
export const runCommand = (): Command =>
  withNotes(new Command('run'), {
    details:
      'Sets the address of the gateway for this process only, passes the exit code and signals through, and reports the savings on stderr. Without --url it uses the service of the data folder, or starts one that ends with the last run. The agent gets a key of its own, revoked at the end. Transcripts of gemini are imported after the run instead.',
    json: 'nothing: stdout is the agent’s',
    examples: ['palimpsest run claude', 'palimpsest run codex --recall -- exec "Fix the tests"'],
    guide: 'run.md',
  })
    .description('Run an agent through the gateway, with a service that is started if none runs')
    .argument('<agent>', `one of ${Object.keys(AGENTS).join(', ')}`, agentNamed)
    .argument('[args...]', 'arguments of the agent, behind --')
    .option('--profile <profile>', 'profile of new sessions', profileName)
    .option('--window <tokens>', "window of new sessions, such as 32k (default: their model's)", windowSize)
    .option('--recall', 'offer the model the tool that reads compacted messages')
    .addOption(
      new Option('--ladder <policy>', "ladder policy of its requests (default: the profile's)").choices(
        LADDER_POLICIES,
      ),
    )
    .option('--title <text>', 'title of new sessions', title)
    .option(
      '--project <project>',
      'project of new sessions (default: the name of the current folder)',
      project,
    )
    .option('--user <id>', 'user ID, stored as label "user"', user)
    .option('--customer <id>', 'customer ID, stored as label "customer" and as a data subject', customer)
    .option('--label <name=value>', 'label of new sessions; may be repeated', label, {})
    .action(async (agent: Agent, args: string[], _, command: Command) => {
      process.exitCode = await run(agent, args, command.optsWithGlobals<Options>());
    });

const agentNamed = (name: string): Agent => {
  const agent = ownMember(AGENTS, name);
  if (agent) return agent;
  throw new InvalidArgumentError(`give one of ${Object.keys(AGENTS).join(', ')}`);
};

/**
 * Returns the exit code of the agent: its own, or 128 and the number of the signal that ended it.
 *
 * @throws {Interrupted} before the agent starts; afterwards an interrupt spares the summary alone.
 */
const run = async (agent: Agent, args: readonly string[], options: Options): Promise<number> => {
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
const requireProfile = async ({ profile }: Options, { url, apiKey }: UsedService): Promise<void> => {
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
