import { setTimeout as pause } from 'node:timers/promises';
import {
  AppendAndCompose,
  AppendAndComposeHandler,
  AppendConversation,
  AppendConversationHandler,
  AppendMessages,
  AppendMessagesHandler,
  CancelCompaction,
  CancelCompactionHandler,
  ChangeSettings,
  ChangeSettingsHandler,
  CheckBudget,
  CheckBudgetHandler,
  CloseSession,
  CloseSessionHandler,
  type CommandExecutor,
  CompactionRunner,
  CompleteCompaction,
  CompleteCompactionHandler,
  CompleteTurn,
  CompleteTurnHandler,
  ComposeForClient,
  ComposeForClientHandler,
  ComposeRequest,
  ComposeRequestHandler,
  ContributionCollector,
  DeferCompactions,
  DeferCompactionsHandler,
  FailAttempt,
  FailAttemptHandler,
  FailCompaction,
  FailCompactionHandler,
  ForkSession,
  ForkSessionHandler,
  HookCalls,
  OpenChildSession,
  OpenChildSessionHandler,
  OpenSession,
  OpenSessionHandler,
  OutcomeWaiter,
  type Pace,
  PinContent,
  PinContentHandler,
  ReleaseCompactions,
  ReleaseCompactionsHandler,
  ReportEdits,
  ReportEditsHandler,
  ReportOverflow,
  ReportOverflowHandler,
  ReportUsage,
  ReportUsageHandler,
  RequestCompaction,
  RequestCompactionHandler,
  RequestComposer,
  RequestCounts,
  ResetSession,
  ResetSessionHandler,
  RevertCompaction,
  RevertCompactionHandler,
  SessionStore,
  StartCompaction,
  StartCompactionHandler,
  TranscriptImporter,
  UnpinContent,
  UnpinContentHandler,
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
import type { Command } from '@nestjs/cqrs';
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
  const handlers = handlersOf({ sessions, outcomes, composer, clock, models, counter, log, summarizers });
  const commands = {
    execute: async <Result>(command: Command<Result>): Promise<Result> => {
      const handler = handlers.get(command.constructor);
      if (!handler) throw new Error(`no handler for ${command.constructor.name}`);
      // The handler of a command returns its result type, which the map cannot express.
      return (await handler.execute(command)) as Result;
    },
  };
  const parts = { sessions, log, commands, counter, models, clock, summarizers, keyed: memoryDigests };
  handlers.set(AppendConversation, new AppendConversationHandler(parts));
  handlers.set(AppendAndCompose, new AppendAndComposeHandler(commands, composer, parts));
  return {
    log,
    subscriptions,
    sessions,
    commands,
    outcomes,
    models,
    importer: new TranscriptImporter({ ...parts, outcomes }),
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

type HandlerParts = {
  readonly sessions: SessionStore;
  readonly outcomes: OutcomeWaiter;
  readonly composer: RequestComposer;
  readonly clock: Clock;
  readonly models: ModelRegistry;
  readonly counter: TokenCounter;
  readonly log: EventLog;
  readonly summarizers: SummarizerChoice;
};

const handlersOf = ({
  sessions,
  outcomes,
  composer,
  clock,
  models,
  counter,
  log,
  summarizers,
}: HandlerParts) =>
  new Map<unknown, { execute(command: object): Promise<unknown> }>([
    [OpenSession, new OpenSessionHandler(sessions, counter, models)],
    [AppendMessages, new AppendMessagesHandler(sessions, counter, models, clock, log)],
    [ReportUsage, new ReportUsageHandler(sessions, models, clock, log)],
    [CompleteTurn, new CompleteTurnHandler(sessions)],
    [CheckBudget, new CheckBudgetHandler(sessions, clock)],
    [ComposeRequest, new ComposeRequestHandler(composer)],
    [ComposeForClient, new ComposeForClientHandler(composer)],
    [ReportEdits, new ReportEditsHandler(sessions, models, clock)],
    [ReportOverflow, new ReportOverflowHandler(sessions, outcomes, clock, summarizers)],
    [StartCompaction, new StartCompactionHandler(sessions)],
    [CompleteCompaction, new CompleteCompactionHandler(sessions, counter, models)],
    [FailAttempt, new FailAttemptHandler(sessions, models)],
    [FailCompaction, new FailCompactionHandler(sessions)],
    [CancelCompaction, new CancelCompactionHandler(sessions)],
    [RequestCompaction, new RequestCompactionHandler(sessions)],
    [RevertCompaction, new RevertCompactionHandler(sessions)],
    [ResetSession, new ResetSessionHandler(sessions)],
    [ForkSession, new ForkSessionHandler(sessions)],
    [ChangeSettings, new ChangeSettingsHandler(sessions, models, counter)],
    [PinContent, new PinContentHandler(sessions, counter)],
    [UnpinContent, new UnpinContentHandler(sessions)],
    [CloseSession, new CloseSessionHandler(sessions, counter)],
    [OpenChildSession, new OpenChildSessionHandler(sessions, counter, models)],
    [DeferCompactions, new DeferCompactionsHandler(sessions)],
    [ReleaseCompactions, new ReleaseCompactionsHandler(sessions)],
  ]);
