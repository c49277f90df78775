import { setTimeout as pause } from 'node:timers/promises';
import {
  type CommandExecutor,
  CompactionRunner,
  ContributionCollector,
  ForkSession,
  type HandlerParts,
  HookCalls,
  OpenChildSession,
  OpenSession,
  OutcomeWaiter,
  type Pace,
  RequestComposer,
  RequestCounts,
  ResetSession,
  registeredHandlers,
  SessionStore,
  TranscriptImporter,
} from '@app/application';
import { NO_MODELS } from '@app/domain';
import { Actor, AppError, IsoTime } from '@app/kernel';
import {
  always,
  type Clock,
  type CompactionHook,
  type ContextProvider,
  type EventLog,
  type ModelRegistry,
  type Subscriptions,
  type Summarizer,
  type SummarizerChoice,
  type TokenCounter,
  type Upstream,
} from '@app/ports';
import type { Command, ICommandHandler } from '@nestjs/cqrs';
import { memoryDigests } from '../log/memory-content-keys.js';
import { ScriptedSummarizer } from './scripted-summarizer.js';

/** Four characters are a token. */
export const quarterCounter: TokenCounter = {
  estimator: 'quarter',
  count: (text) => Math.ceil(text.length / 4),
};

/** A registry without models. */
export const noModels: ModelRegistry = { catalogFor: () => Promise.resolve(NO_MODELS) };

/** An upstream that is not available. */
const unreachable: Upstream = {
  send: () => Promise.reject(new AppError('upstream-unreachable', 'there is no upstream')),
};

/** Timeout of contributions, for a provider that does not answer. */
const PROVIDERS_TIMEOUT_MS = 50;

export type Application = {
  readonly log: EventLog;
  readonly subscriptions: Subscriptions;
  readonly sessions: SessionStore;
  readonly commands: CommandExecutor;
  readonly importer: TranscriptImporter;
  readonly outcomes: OutcomeWaiter;
  readonly models: ModelRegistry;
  /** Creates a runner with an optional clock for waits and optional hooks, in any order. */
  runner(
    worker: string,
    summarizer?: Summarizer,
    ...beside: readonly (Pace | CompactionHook)[]
  ): CompactionRunner;
  /** Failures of hooks that the runner has reported. */
  readonly hookProblems: unknown[];
};

export type ApplicationOptions = {
  readonly log: EventLog;
  readonly subscriptions: Subscriptions;
  /** Maximum wait of a compose for a compaction. */
  readonly waitTimeoutMs?: number;
  readonly providers?: readonly ContextProvider[];
  readonly clock?: Clock;
  readonly models?: ModelRegistry;
  readonly counter?: TokenCounter;
  /** Counts tokens for sessions whose policy requests it, with a timeout. */
  readonly upstream?: Upstream;
  readonly countTimeoutMs?: number | undefined;
  /** The available summarizers; one that always succeeds by default. */
  readonly summarizers?: SummarizerChoice;
};

/** A process on a log; processes do not share their caches. */
export const openApplication = ({
  log,
  subscriptions,
  waitTimeoutMs,
  providers = [],
  clock = { now: () => IsoTime(new Date()) },
  models = noModels,
  counter = quarterCounter,
  upstream = unreachable,
  countTimeoutMs,
  summarizers = always(new ScriptedSummarizer()),
}: ApplicationOptions): Application => {
  const sessions = new SessionStore(log);
  const hookProblems: unknown[] = [];
  const outcomes = new OutcomeWaiter(sessions, log, subscriptions, waitTimeoutMs);
  const contributions = new ContributionCollector(providers, counter, PROVIDERS_TIMEOUT_MS);
  const counts = new RequestCounts(upstream, countTimeoutMs);
  const composer = new RequestComposer(
    ...([sessions, outcomes, contributions, clock, counts, summarizers, counter] as const),
  );
  const parts = { sessions, log, counter, models, clock, summarizers, keyed: memoryDigests };
  const commands = commandsOver({ ...parts, outcomes, composer });
  return {
    log,
    subscriptions,
    sessions,
    commands,
    outcomes,
    models,
    importer: new TranscriptImporter({ ...parts, commands, outcomes }),
    hookProblems,
    runner: (worker, summarizer = new ScriptedSummarizer(), ...beside) => {
      const onError = (error: unknown): void => void hookProblems.push(error);
      const asked = beside.filter((one) => 'name' in one);
      const pace = beside.find((one) => 'pause' in one);
      const hooks = asked.length > 0 && new HookCalls({ sessions, log, counter, hooks: asked, onError });
      const waits = pace ?? {
        now: () => clock.now(),
        pause: (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }),
      };
      const running = { sessions, commands, summarizers: always(summarizer), counter, worker: Actor(worker) };
      return new CompactionRunner({ ...running, ...(hooks && { hooks }), pace: waits });
    },
  };
};

/** Commands that record no time here, so that equal commands record equal events whenever they are sent. */
const TIMELESS: ReadonlySet<unknown> = new Set([OpenSession, OpenChildSession, ForkSession, ResetSession]);

/** Executes commands with handlers made of these parts; a command whose handler lacks a part fails. */
const commandsOver = (some: Partial<HandlerParts>): CommandExecutor => {
  const made = new Map<unknown, object>();
  const commands: CommandExecutor = {
    execute: async <Result>(command: Command<Result>): Promise<Result> => {
      const registered = registeredHandlers().find(({ message }) => message === command.constructor);
      if (!registered) throw new Error(`no handler for ${command.constructor.name}`);
      const parts = { ...some, commands, ...(TIMELESS.has(registered.message) && { clock: undefined }) };
      // Tests use only handlers of which they have the parts.
      const handler = made.get(registered) ?? registered.make(parts as HandlerParts);
      made.set(registered, handler);
      // The handler of a command returns its result type, which the registry cannot express.
      return (handler as ICommandHandler<Command<Result>>).execute(command);
    },
  };
  return commands;
};
