import { auditPayload } from '@app/adapters/read-model-postgres';
import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import * as app from '@app/application';
import { type Message, type SessionEvent, textBlock } from '@app/domain';
import {
  AppError,
  CompactionId,
  IsoTime,
  invariant,
  MessageId,
  PinId,
  Revision,
  SessionId,
  sessionStream,
  Tokens,
} from '@app/kernel';
import type { ReadModels, Recorded } from '@app/ports';
import {
  type Application,
  call,
  caller,
  message,
  noModels,
  openApplication,
  openMemoryLog,
  quarterCounter,
  result,
  textMessage,
} from '@app/testing';
import { type Given, GivenLog, recordsOf } from './given-log.js';
import { many, openedWith, SESSION, type Shape, TENANT } from './session-shapes.js';

/** A command, query or other operation on a session; `of` is the class that its handler is registered for, if any. */
export type SessionCase = {
  readonly name: string;
  readonly of?: unknown;
  readonly run: (application: Application) => Promise<unknown>;
};

const ref = { tenant: TENANT, session: SESSION };
const other = { tenant: TENANT, session: SessionId('other') };
const index: Pick<ReadModels, 'messageRevision'> = {
  messageRevision: async () => ({ revision: undefined, upTo: undefined }),
};
const sourcesOf = ({ sessions, log }: Application) => ({ sessions, log, index });
/** The rows of the session as the read model would answer them, one bin for each event. */
const rowsOf = (log: Application['log']): Pick<ReadModels, 'occupancy' | 'activity' | 'milestones'> => {
  const recorded = async () => {
    const found: Recorded[] = [];
    for await (const one of log.readForwards(stream)) found.push(one);
    return found;
  };
  return {
    activity: () => Promise.resolve({ activeMs: 0, bins: [], idle: [] }),
    occupancy: async () =>
      (await recorded()).map(({ revision, recordedAt: at }) => ({
        revision,
        at,
        occupancy: 1,
        min: 1,
        max: 1,
      })),
    milestones: async ({ types }) =>
      (await recorded()).flatMap(({ revision, recordedAt: at, event }) =>
        types.includes(event.type)
          ? [{ ...NOTHING, revision, at, type: event.type, payload: auditPayload(event) }]
          : [],
      ),
  };
};
const NOTHING = { compactionId: null, trigger: null, profile: null };
const never = new AbortController().signal;

const usage = {
  inputTokens: Tokens(100),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
  outputTokens: Tokens(1),
};
const edits = { clearedToolUses: 1, clearedThinkingTurns: 1, clearedInputTokens: Tokens(5) };
const child = {
  parent: SESSION,
  model: 'unknown',
  profile: 'core',
  window: 0,
  systemPrompt: '',
  tools: [],
  labels: {},
  mandate: 'x',
};

type Executed = Parameters<Application['commands']['execute']>[0];
/** Returns a case for a command, which is created for each run. */
const command = (make: () => Executed, name?: string): SessionCase => {
  const of = make().constructor;
  return { name: name ?? of.name, of, run: ({ commands }) => commands.execute(make()) };
};

const contextAs = (format: 'anthropic' | 'openai-chat' | 'openai-responses'): SessionCase => ({
  name: `GetContext (${format})`,
  of: app.GetContext,
  run: ({ sessions }) => new app.GetContextHandler({ sessions }).execute(new app.GetContext(ref, format)),
});
const trace = (id: string): SessionCase => ({
  name: `TraceMessage (${id})`,
  of: app.TraceMessage,
  run: ({ sessions, log }) =>
    new app.TraceMessageHandler({ sessions, log }).execute(new app.TraceMessage(ref, MessageId(id))),
});
const explained = (id: string): SessionCase => ({
  name: `ExplainCompaction (${id})`,
  of: app.ExplainCompaction,
  run: ({ sessions, log, models }) =>
    new app.ExplainCompactionHandler({ sessions, log, models }).execute(
      new app.ExplainCompaction(ref, CompactionId(id)),
    ),
});
const outcome = (id: string): SessionCase => ({
  name: `the recorded outcome of a compaction (${id})`,
  run: ({ outcomes }) => outcomes.outcomeOf(ref, CompactionId(id), 1),
});
const recall = (name: string, input: app.Recall['input']): SessionCase => ({
  name: `Recall (${name})`,
  of: app.Recall,
  run: (application) => new app.RecallHandler(sourcesOf(application)).execute(new app.Recall(ref, input)),
});

/** Requests a compaction, and runs it without a model. */
const compact = async (application: Application): Promise<void> => {
  const { commands } = application;
  const asked = await commands.execute(new app.RequestCompaction(ref, { trigger: 'explicit' }, caller));
  if (asked.status !== 'requested' && asked.status !== 'joined') return;
  const runner = application.runner('w1', extractiveSummarizer(quarterCounter));
  await runner.run(ref, asked.compactionId, 'cause', never);
};

/** Measured on every session shape. */
export const SESSION_CASES: readonly SessionCase[] = [
  command(() => new app.AppendMessages(ref, [textMessage('new', 'x')], caller)),
  command(
    () => new app.AppendConversation(ref, { messages: [{ role: 'user', blocks: [textBlock('x')] }] }, caller),
  ),
  command(() => new app.ReportUsage(ref, { usage }, caller)),
  command(() => new app.CompleteTurn(ref, 'end_turn', caller)),
  command(() => new app.CheckBudget(ref, caller)),
  command(() => new app.RequestCompaction(ref, { trigger: 'explicit' }, caller)),
  command(() => new app.RevertCompaction(ref, { reason: 'anew' }, caller)),
  command(() => new app.CancelCompaction(ref, { compactionId: CompactionId('k'), reason: 'x' }, caller)),
  command(() => new app.ResetSession(ref, { reason: 'x', confirm: true }, caller)),
  command(() => new app.ForkSession(ref, { as: other.session }, caller)),
  command(() => new app.ChangeSettings(ref, { overrides: { warnAtShare: 0.5 } }, caller)),
  command(
    () => new app.ChangeSettings(ref, { model: 'other', systemPrompt: 'y', tools: [{ name: 'x' }] }, caller),
    'ChangeSettings (model and parts)',
  ),
  command(() => new app.PinContent(ref, { pinId: PinId('new'), kind: 'constraint', text: 'x' }, caller)),
  command(() => new app.UnpinContent(ref, PinId('p0'), caller)),
  command(() => new app.CloseSession(ref, 'x', caller)),
  command(() => new app.OpenChildSession(other, child, caller)),
  command(() => new app.DeferCompactions(ref, { until: 'released', reason: 'x' }, caller)),
  command(() => new app.ReleaseCompactions(ref, 'x', caller)),
  command(() => new app.ReportEdits(ref, { edits }, caller)),
  command(
    () =>
      new app.ReportOverflow(
        ref,
        { status: 400, message: 'prompt is too long: 2 tokens > 1 maximum' },
        caller,
      ),
  ),
  command(
    () =>
      new app.AppendAndCompose(
        ref,
        { conversation: { messages: [{ role: 'user', blocks: [textBlock('x')] }] }, options: {} },
        caller,
      ),
  ),
  command(() => new app.ComposeRequest(ref, { format: 'anthropic' }, caller), 'ComposeRequest (anthropic)'),
  command(
    () => new app.ComposeRequest(ref, { format: 'openai-chat', ladder: 'truncate' }, caller),
    'ComposeRequest (openai-chat, ladder)',
  ),
  command(
    () => new app.ComposeRequest(ref, { format: 'openai-responses' }, caller),
    'ComposeRequest (openai-responses)',
  ),
  ...(['anthropic', 'openai-chat', 'openai-responses'] as const).map(contextAs),
  {
    name: 'ShowSession',
    of: app.ShowSession,
    run: ({ sessions }) => new app.ShowSessionHandler({ sessions }).execute(new app.ShowSession(ref)),
  },
  ...['core', 'deterministic', 'pivot'].map(
    (profile): SessionCase => ({
      name: `PlanCompaction (${profile})`,
      of: app.PlanCompaction,
      run: ({ sessions }) =>
        new app.PlanCompactionHandler({ sessions }).execute(new app.PlanCompaction(ref, profile)),
    }),
  ),
  {
    name: 'WhatIf (deterministic)',
    of: app.WhatIf,
    run: ({ sessions }) =>
      new app.WhatIfHandler({
        ...{
          sessions,
          facts: extractiveSummarizer(quarterCounter),
          counter: quarterCounter,
          models: noModels,
        },
        clock: { now: () => IsoTime(new Date(0)) },
      }).execute(new app.WhatIf(ref, ['deterministic'])),
  },
  trace('q0'),
  trace('r'),
  trace('none'),
  explained('k'),
  outcome('k'),
  explained('k0'),
  outcome('k0'),
  {
    name: 'DiffContexts',
    of: app.DiffContexts,
    run: async ({ sessions }) => {
      const { revision } = await sessions.load(ref);
      invariant(revision !== undefined, 'the session is there');
      const query = new app.DiffContexts(ref, { a: revision, b: revision, content: true });
      return new app.DiffContextsHandler({ sessions }).execute(query);
    },
  },
  recall('search', { query: 'nothing like this' }),
  recall('message', { message: 'q0', messages: 20 }),
  {
    name: 'ReadMessage',
    of: app.ReadMessage,
    run: (application) =>
      new app.ReadMessageHandler(sourcesOf(application)).execute(
        new app.ReadMessage(ref, { message: MessageId('r'), part: {} }),
      ),
  },
  {
    name: 'ReadOccupancy',
    of: app.ReadOccupancy,
    run: ({ sessions, log }) =>
      new app.ReadOccupancyHandler({ sessions, readModels: rowsOf(log) }).execute(
        new app.ReadOccupancy(ref, { bins: 100 }),
      ),
  },
  {
    name: 'SearchMessages',
    of: app.SearchMessages,
    run: (application) =>
      new app.SearchMessagesHandler(sourcesOf(application)).execute(
        new app.SearchMessages(ref, { text: 'nothing like this' }),
      ),
  },
  {
    name: 'ReadRetention',
    of: app.ReadRetention,
    run: ({ sessions, log }) =>
      new app.ReadRetentionHandler({
        sessions,
        readModels: { ...rowsOf(log), retainedTurns: async () => [] },
      }).execute(new app.ReadRetention(ref, { from: 0, turns: 100 })),
  },
  {
    name: 'ListMessages',
    of: app.ListMessages,
    run: ({ log }) =>
      new app.ListMessagesHandler({ log }).execute(
        new app.ListMessages(ref, { from: Revision(0), limit: 500 }),
      ),
  },
  {
    name: 'ReadSession',
    of: app.ReadSession,
    run: async ({ log }) => {
      const history = await new app.ReadSessionHandler({ log }).execute(new app.ReadSession(ref, {}));
      for await (const _ of history);
    },
  },
];

/** Too slow for every shape: see `PALIMPSEST_COST`. */
export const SLOW_CASES: readonly SessionCase[] = [
  { name: 'a compaction by the extractive summarizer', run: compact },
];

/** Large commands on a small session. */
export const LARGE_COMMANDS: readonly {
  readonly name: string;
  readonly of: unknown;
  readonly size: number;
  readonly make: (size: number) => Executed;
}[] = [
  ...(
    [
      [
        'messages',
        (size: number) => many(size, (at) => textMessage(`m${at}`, 'x', at % 2 === 0 ? 'user' : 'assistant')),
      ],
      ['messages of one role', (size: number) => many(size, (at) => textMessage(`m${at}`, 'x'))],
      ['blocks of a message', (size: number) => [message('m', 'user', ...many(size, () => textBlock('x')))]],
      [
        'calls and results',
        (size: number) => [
          textMessage('q', 'x'),
          message('a', 'assistant', ...many(size, (at) => call(`c${at}`))),
          message('r', 'user', ...many(size, (at) => result(`c${at}`))),
        ],
      ],
      ['length of a text', (size: number) => [textMessage('m', 'word '.repeat(size * 50))]],
    ] satisfies readonly (readonly [string, (size: number) => readonly Message[]])[]
  ).flatMap(([dimension, messagesOf]) => [
    {
      name: `AppendMessages: ${dimension}`,
      of: app.AppendMessages,
      size: 500,
      make: (size: number) => {
        const messages = messagesOf(size);
        const bill = { usage, model: 'unknown', outcome: 'completed', source: 'reported' } as const;
        const last = messages.findLast(({ role }) => role === 'assistant');
        return new app.AppendMessages(ref, messages, caller, last && { ...bill, messageId: last.id });
      },
    },
    {
      name: `AppendConversation: ${dimension}`,
      of: app.AppendConversation,
      size: 500,
      make: (size: number) =>
        new app.AppendConversation(ref, { messages: messagesOf(size), stopReason: 'end_turn' }, caller),
    },
  ]),
  {
    name: 'OpenSession: tools',
    of: app.OpenSession,
    size: 2_000,
    make: (size) =>
      new app.OpenSession(
        other,
        {
          model: 'unknown',
          profile: 'core',
          window: 0,
          systemPrompt: 'x',
          tools: many(size, (at) => ({ name: `t${at}` })),
          labels: {},
        },
        caller,
      ),
  },
  {
    name: 'OpenSession: length of the system prompt',
    of: app.OpenSession,
    size: 200_000,
    make: (size) =>
      new app.OpenSession(
        other,
        {
          model: 'unknown',
          profile: 'core',
          window: 0,
          systemPrompt: 'word '.repeat(size / 5),
          tools: [],
          labels: {},
        },
        caller,
      ),
  },
  {
    name: 'PinContent: length of the text',
    of: app.PinContent,
    size: 200_000,
    make: (size) =>
      new app.PinContent(ref, { pinId: PinId('p'), kind: 'plan', text: 'word '.repeat(size / 5) }, caller),
  },
  {
    name: 'ComposeRequest: contributions',
    of: app.ComposeRequest,
    size: 500,
    make: (size) =>
      new app.ComposeRequest(
        ref,
        { format: 'anthropic', contributions: many(size, (at) => ({ name: `c${at}`, text: 'x' })) },
        caller,
      ),
  },
];

type Loaded = Awaited<ReturnType<Application['sessions']['load']>>;
type World = { readonly given: Given<SessionEvent>; loaded: Loaded | undefined };
const { subscriptions } = openMemoryLog();
const stream = sessionStream(TENANT, SESSION);

const openOn = (given: Given<SessionEvent>): Application =>
  openApplication({ log: new GivenLog(given), subscriptions, waitTimeoutMs: 0 });

/** Sessions of one shape by size; creates the events of each once. */
export const worldsOf = (shape: Pick<Shape, 'events'>) => {
  const worlds = new Map<number, World>();
  const worldOf = (size: number): World => {
    const world = worlds.get(size) ?? {
      given: new Map([[stream, recordsOf(stream, shape.events(size))]]),
      loaded: undefined,
    };
    worlds.set(size, world);
    return world;
  };
  return {
    ref,
    /** A process without the session in its cache. */
    cold: (size: number): Application => openOn(worldOf(size).given),
    /** A process with the session in its cache, but without derived values. */
    warm: async (size: number): Promise<Application> => {
      const world = worldOf(size);
      const application = openOn(world.given);
      world.loaded ??= await application.sessions.load(ref);
      const { state, revision } = world.loaded;
      // Reading the session in each run would dominate this test.
      const reader: { hot: { set(of: typeof stream, loaded: Loaded): void } } = Reflect.get(
        application.sessions,
        'reader',
      );
      reader.hot.set(stream, { state: { ...state }, revision });
      return application;
    },
  };
};

export const SMALL: Pick<Shape, 'events'> = { events: () => [openedWith(0)] };

/** Awaits work that may be refused, which has a cost too; rethrows other errors. */
export const attempted = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};
