import {
  AppendMessages,
  AppendMessagesHandler,
  ChangeSettings,
  ChangeSettingsHandler,
  CheckBudget,
  CheckBudgetHandler,
  CloseSession,
  CloseSessionHandler,
  CompactionRunner,
  CompleteTurn,
  CompleteTurnHandler,
  ComposeRequest,
  ComposeRequestHandler,
  ContributionCollector,
  ForkSession,
  ForkSessionHandler,
  OpenSession,
  OpenSessionHandler,
  OutcomeWaiter,
  PinContent,
  PinContentHandler,
  ReportOverflow,
  ReportOverflowHandler,
  RequestCompaction,
  RequestCompactionHandler,
  ResetSession,
  ResetSessionHandler,
  RevertCompaction,
  RevertCompactionHandler,
  SessionStore,
  TranscriptImporter,
  UnpinContent,
  UnpinContentHandler,
} from '@app/application';
import { Actor, IsoTime } from '@app/kernel';
import type { Clock, ContextProvider, EventLog, Subscriptions, Summarizer, TokenCounter } from '@app/ports';
import type { Command } from '@nestjs/cqrs';
import { ScriptedSummarizer } from './scripted-summarizer.js';

/** Four characters are a token. */
const quarterCounter: TokenCounter = {
  estimator: 'quarter',
  count: (text) => Math.ceil(text.length / 4),
};

/** A provider that never answers is waited for so long. */
const PROVIDERS_PATIENCE_MS = 50;

export type Application = {
  readonly log: EventLog;
  readonly subscriptions: Subscriptions;
  readonly sessions: SessionStore;
  readonly commands: { execute<Result>(command: Command<Result>): Promise<Result> };
  readonly importer: TranscriptImporter;
  readonly outcomes: OutcomeWaiter;
  runner(worker: string, summarizer?: Summarizer): CompactionRunner;
};

/** A process of its own on a log: what it has at hand, another does not know of. */
export const openApplication = ({
  log,
  subscriptions,
  patienceMs,
  providers = [],
  clock = { now: () => IsoTime(new Date()) },
}: {
  readonly log: EventLog;
  readonly subscriptions: Subscriptions;
  /** How long composing waits for a compaction. */
  readonly patienceMs?: number;
  readonly providers?: readonly ContextProvider[];
  readonly clock?: Clock;
}): Application => {
  const sessions = new SessionStore(log);
  const outcomes = new OutcomeWaiter(sessions, log, subscriptions);
  const contributions = new ContributionCollector(providers, quarterCounter, PROVIDERS_PATIENCE_MS);
  const handlers = new Map<unknown, { execute(command: object): Promise<unknown> }>([
    [OpenSession, new OpenSessionHandler(sessions, quarterCounter)],
    [AppendMessages, new AppendMessagesHandler(sessions, quarterCounter)],
    [CompleteTurn, new CompleteTurnHandler(sessions)],
    [CheckBudget, new CheckBudgetHandler(sessions, clock)],
    [ComposeRequest, new ComposeRequestHandler(sessions, outcomes, contributions, clock, patienceMs)],
    [ReportOverflow, new ReportOverflowHandler(sessions, outcomes, clock)],
    [RequestCompaction, new RequestCompactionHandler(sessions)],
    [RevertCompaction, new RevertCompactionHandler(sessions)],
    [ResetSession, new ResetSessionHandler(sessions)],
    [ForkSession, new ForkSessionHandler(sessions)],
    [ChangeSettings, new ChangeSettingsHandler(sessions)],
    [PinContent, new PinContentHandler(sessions, quarterCounter)],
    [UnpinContent, new UnpinContentHandler(sessions)],
    [CloseSession, new CloseSessionHandler(sessions)],
  ]);
  const commands = {
    execute: async <Result>(command: Command<Result>): Promise<Result> => {
      const handler = handlers.get(command.constructor);
      if (!handler) throw new Error(`nobody handles ${command.constructor.name}`);
      // The handler of a command returns its result: nothing in the map can say so.
      return (await handler.execute(command)) as Result;
    },
  };
  return {
    log,
    subscriptions,
    sessions,
    commands,
    outcomes,
    importer: new TranscriptImporter(sessions, { commands, outcomes, log }),
    runner: (worker, summarizer = new ScriptedSummarizer()) =>
      new CompactionRunner(sessions, summarizer, quarterCounter, Actor(worker), clock),
  };
};
