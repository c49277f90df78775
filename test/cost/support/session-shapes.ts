import {
  type Block,
  type Cut,
  DEFAULT_PROFILE,
  type DroppedOutput,
  type EventData,
  type EventOf,
  type Message,
  type OpeningState,
  PROFILES,
  type Profile,
  type SessionEvent,
  textBlock,
} from '@app/domain';
import {
  Actor,
  CompactionId,
  type MessageId as Id,
  MessageId,
  PinId,
  RequestId,
  Revision,
  SessionId,
  TenantId,
  Tokens,
} from '@app/kernel';
import { call, message, result, SUMMARIZER, thinking } from '@app/testing';

/** Sessions that are large in one dimension; `size` is the smallest measured size. */
export type Shape = {
  readonly name: string;
  readonly size: number;
  readonly events: (size: number) => readonly SessionEvent[];
};

export const TENANT = TenantId('acme');
export const SESSION = SessionId('some');
/** A window that no shape reaches. */
const ENDLESS = 1_000_000_000;
/** Counted tokens of each message. */
const MESSAGE_TOKENS = 100;

export const many = <Value>(count: number, valueAt: (at: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, at) => valueAt(at));

/** The opening of a session with compactions on request only, so that none disturbs the measurement. */
export const openedWith = (
  window: number,
  profile: Partial<Profile> = {},
  more: Partial<EventData<'SessionOpened'>> = {},
): EventOf<'SessionOpened'> => ({
  type: 'SessionOpened',
  data: {
    ...{ tenantId: TENANT, sessionId: SESSION, model: 'unknown', labels: {} },
    limits: { window: Tokens(window), windowSource: 'given' },
    profile: { ...DEFAULT_PROFILE, mode: 'authorized', ...profile },
    ...{ systemPrompt: 'Be brief.', tools: [], fixedTokens: Tokens(10) },
    ...more,
  },
});
const staged = PROFILES.find(({ name }) => name === 'staged');

const appended = (one: Message, tokens = MESSAGE_TOKENS): SessionEvent => ({
  type: 'MessageAppended',
  data: {
    message: one,
    tokens: Tokens(tokens),
    blockTokens: one.blocks.map(() => Tokens(Math.floor(tokens / one.blocks.length))),
    estimator: 'test',
  },
});
const user = (id: string, ...blocks: readonly (Block | string)[]): SessionEvent =>
  appended(message(id, 'user', ...blocks));
const assistant = (id: string, ...blocks: readonly (Block | string)[]): SessionEvent =>
  appended(message(id, 'assistant', ...blocks));
const turnsOf = (count: number): readonly SessionEvent[] =>
  many(count, (at) =>
    at % 2 === 0 ? user(`m${at}`, `question ${at}`) : assistant(`m${at}`, `answer ${at}`),
  );
/** A step is a call and its result: two messages. */
const stepsOf = (
  count: number,
  more: (at: number) => readonly SessionEvent[] = () => [],
): readonly SessionEvent[] => [
  user('q', 'go'),
  ...many(count, (at) => [
    assistant(`a${at}`, call(`c${at}`)),
    user(`r${at}`, result(`c${at}`, `found ${at}`)),
    ...more(at),
  ]).flat(),
];
const endless = openedWith(ENDLESS);

/** The result of a compaction: the messages from the cut on, and a summary. */
const completed = (
  id: string,
  cut: Cut,
  before: { messages: number; turn: number; compactions: number },
  summary = '## Goal\nFinish it.',
): EventOf<'CompactionCompleted'> => {
  const opening: OpeningState = {
    ...{ opened: endless.data, model: 'unknown', limits: endless.data.limits, profile: endless.data.profile },
    ...{ leadingSystem: [], messagesBefore: before.messages, turnAtCut: before.turn, abandonedCalls: [] },
    ...{
      droppedOutputs: [],
      turnCompleted: 0,
      compactions: before.compactions,
      compactionIdCount: before.compactions,
    },
  };
  return {
    type: 'CompactionCompleted',
    data: {
      ...{ compactionId: CompactionId(id), attempt: 1, worker: 'w1', trigger: 'explicit', turn: before.turn },
      ...{ summary, summaryTokens: Tokens(20), cut, splitTurn: false, covered: null },
      ...{
        countedBefore: Tokens(400),
        countedAfter: Tokens(200),
        billedBefore: Tokens(400),
        billedAfter: Tokens(200),
      },
      ...{
        target: Tokens(300),
        retention: [],
        droppedOutputs: [],
        fileOperations: { read: [], modified: [] },
      },
      ...{ summarizer: SUMMARIZER, durationMs: 1, opening },
    },
  };
};
const requested = (id: string): SessionEvent => ({
  type: 'CompactionRequested',
  data: {
    compactionId: CompactionId(id),
    trigger: 'explicit',
    profile: endless.data.profile,
    occupancy: Tokens(400),
    turn: 1,
  },
});

/** Turns, each followed by a compaction that retains it. */
const compactionsOf = (
  count: number,
  more: (at: number) => readonly SessionEvent[] = () => [],
): readonly SessionEvent[] => {
  const events: SessionEvent[] = [endless];
  for (let at = 0; at < count; at += 1) {
    events.push(user(`q${at}`, `question ${at}`));
    const cut = { messageId: MessageId(`q${at}`), revision: Revision(events.length - 1) };
    events.push(assistant(`a${at}`, `answer ${at}`), requested(`k${at}`));
    events.push(
      completed(`k${at}`, cut, { messages: at * 2, turn: at + 1, compactions: at + 1 }),
      ...more(at),
    );
  }
  return events;
};
const reverted = (at: number): SessionEvent => ({
  type: 'CompactionReverted',
  data: {
    ...{
      compactionId: CompactionId(`k${at}`),
      restored: null,
      reason: 'anew',
      messagesBefore: 0,
      carried: null,
      compactions: 0,
    },
    ...{
      countedBefore: Tokens(200),
      countedAfter: Tokens(400),
      billedBefore: Tokens(200),
      billedAfter: Tokens(400),
    },
  },
});
const attempts = (count: number): readonly SessionEvent[] =>
  many(count, (at): readonly SessionEvent[] => [
    {
      type: 'CompactionStarted',
      data: {
        ...{
          compactionId: CompactionId('k'),
          attempt: at + 1,
          worker: 'w1',
          summarizer: SUMMARIZER,
          stages: ['summarize'],
        },
        ...{
          turn: 1,
          cut: { messageId: MessageId('m2'), revision: Revision(3) },
          splitTurn: false,
          coveredMessages: 2,
        },
        ...{
          coveredTokens: Tokens(200),
          countedBefore: Tokens(400),
          billedBefore: Tokens(400),
          target: Tokens(300),
        },
        inputHash: 'a'.repeat(64),
      },
    },
    {
      type: 'CompactionAttemptFailed',
      data: { compactionId: CompactionId('k'), attempt: at + 1, error: { rule: 'timeout', detail: '120 s' } },
    },
  ]).flat();

const pinned = (at: number, text = `rule ${at}`): SessionEvent => ({
  type: 'ContentPinned',
  data: {
    pin: { pinId: PinId(`p${at}`), kind: 'constraint', text, tokens: Tokens(10) },
    occupancyAfter: Tokens(10),
  },
});
const composed = (at: number, contributed = 0): SessionEvent => ({
  type: 'RequestComposed',
  data: {
    ...{
      requestId: RequestId(`req-${at}-aaaaaaaaaaaa`),
      format: 'anthropic',
      revision: Revision(at),
      turn: 1,
    },
    ...{ occupancy: Tokens(100), counted: Tokens(100), window: Tokens(ENDLESS), state: 'normal', epoch: 0 },
    ...{ stages: [], notes: [], digest: 'a'.repeat(64) },
    parts: { systemPrompt: 'b'.repeat(64), tools: 'c'.repeat(64) },
    ...(contributed > 0 && { contributions: [{ name: 'clock', tokens: Tokens(contributed) }] }),
  },
});
const billed = (id: string, prompt: number): SessionEvent => ({
  type: 'UsageReported',
  data: {
    usage: {
      inputTokens: Tokens(prompt),
      cacheReadTokens: Tokens(0),
      cacheWriteTokens: Tokens(0),
      outputTokens: Tokens(MESSAGE_TOKENS),
    },
    ...{ model: 'unknown', outcome: 'completed', source: 'reported', messageId: MessageId(id) },
    ...{ countsFor: 'occupancy', occupancyAfter: Tokens(prompt) },
  },
});
const dropped = (at: number): DroppedOutput => ({
  messageId: MessageId(`a${at}`),
  callId: `c${at}`,
  freed: Tokens(10),
});
const turnOfSteps = (at: number): Id => MessageId(`q${at}`);

export const SHAPES: readonly Shape[] = [
  { name: 'messages in turns', size: 250, events: (size) => [endless, ...turnsOf(size)] },
  {
    name: 'messages in turns that are left out by stages',
    size: 250,
    events: (size) => [
      openedWith(size * MESSAGE_TOKENS * 1.2, { ...staged, mode: 'authorized' }),
      ...turnsOf(size),
    ],
  },
  {
    name: 'messages over the window',
    size: 250,
    events: (size) => [openedWith((size * MESSAGE_TOKENS) / 2, { ladder: 'on' }), ...turnsOf(size)],
  },
  {
    name: 'messages of one role',
    size: 250,
    events: (size) => [endless, ...many(size, (at) => user(`m${at}`, 'x'))],
  },
  {
    name: 'system messages at the head',
    size: 250,
    events: (size) => [
      endless,
      ...many(size, (at) => appended(message(`s${at}`, 'system', 'x'))),
      user('m', 'x'),
    ],
  },
  {
    name: 'blocks of a message',
    size: 250,
    events: (size) => [endless, user('m', ...many(size, () => textBlock('x')))],
  },
  {
    name: 'calls of a message, answered by one message',
    size: 250,
    events: (size) => [
      endless,
      user('q', 'x'),
      assistant('a', ...many(size, (at) => call(`c${at}`))),
      user('r', ...many(size, (at) => result(`c${at}`))),
    ],
  },
  {
    name: 'calls of a message, answered one by one',
    size: 250,
    events: (size) => [
      endless,
      user('q', 'x'),
      assistant('a', ...many(size, (at) => call(`c${at}`))),
      ...many(size, (at) => user(`r${at}`, result(`c${at}`))),
    ],
  },
  {
    name: 'calls and results of one id',
    size: 250,
    events: (size) => [
      endless,
      user('q', 'x'),
      assistant('a', ...many(size, () => call('same'))),
      user('r', ...many(size, () => result('same'))),
    ],
  },
  {
    name: 'messages with a call of one id',
    size: 250,
    events: (size) => [endless, user('q', 'x'), ...many(size, (at) => assistant(`a${at}`, call('same')))],
  },
  {
    name: 'calls without results',
    size: 250,
    events: (size) => [endless, user('q', 'x'), ...many(size, (at) => assistant(`a${at}`, call(`c${at}`)))],
  },
  {
    name: 'results without calls',
    size: 250,
    events: (size) => [endless, ...many(size, (at) => user(`r${at}`, result(`c${at}`)))],
  },
  { name: 'steps of a turn', size: 250, events: (size) => [endless, ...stepsOf(size)] },
  {
    name: 'steps of a turn that are left out by stages',
    size: 250,
    events: (size) => [
      openedWith(size * 2 * MESSAGE_TOKENS * 1.2, { ...staged, mode: 'authorized' }),
      ...stepsOf(size),
    ],
  },
  {
    name: 'steps of a turn over the window',
    size: 250,
    events: (size) => [openedWith(size * MESSAGE_TOKENS, { ladder: 'on' }), ...stepsOf(size)],
  },
  {
    name: 'tool outputs that were dropped',
    size: 250,
    events: (size) => [
      endless,
      ...stepsOf(size),
      ...many(
        size,
        (at): SessionEvent => ({
          type: 'ToolOutputsPruned',
          data: {
            outputs: [dropped(at)],
            kept: Tokens(0),
            pruned: Tokens(10),
            turn: 1,
            occupancyAfter: Tokens(10),
          },
        }),
      ),
    ],
  },
  {
    name: 'tool outputs that were stored aside',
    size: 250,
    events: (size) => [
      endless,
      ...stepsOf(size),
      ...many(
        size,
        (at): SessionEvent => ({
          type: 'ToolResultOffloaded',
          data: {
            ...{ messageId: MessageId(`a${at}`), callId: `c${at}`, tokens: Tokens(20), freed: Tokens(10) },
            ...{ reason: 'result-too-large', turn: 1, occupancyAfter: Tokens(10) },
          },
        }),
      ),
    ],
  },
  {
    name: 'turns that were collapsed',
    size: 250,
    events: (size) => [
      endless,
      ...many(size, (at) => [user(`q${at}`, 'go'), assistant(`a${at}`, 'gone')]).flat(),
      ...many(
        size - 1,
        (at): SessionEvent => ({
          type: 'SegmentCollapsed',
          data: {
            ...{
              turn: at + 1,
              messageId: turnOfSteps(at),
              to: MessageId(`a${at}`),
              messages: 2,
              tokens: Tokens(200),
            },
            ...{ freed: Tokens(150), pivot: null, occupancyAfter: Tokens(10) },
          },
        }),
      ),
    ],
  },
  {
    name: 'reasoning that was dropped',
    size: 250,
    events: (size) => [
      endless,
      ...many(size, (at) => [user(`q${at}`, 'go'), assistant(`a${at}`, thinking('so'), 'gone')]).flat(),
      ...many(
        size,
        (at): SessionEvent => ({
          type: 'ReasoningDropped',
          data: {
            reasoning: [{ messageId: MessageId(`a${at}`), freed: Tokens(10) }],
            turn: 1,
            occupancyAfter: Tokens(10),
          },
        }),
      ),
    ],
  },
  {
    name: 'answers whose reasoning is bound to another request',
    size: 250,
    events: (size) => [
      endless,
      composed(0, 5),
      ...many(size, (at) => [user(`q${at}`, 'go'), assistant(`a${at}`, thinking('so'), 'gone')]).flat(),
    ],
  },
  {
    name: 'answers with disposable reasoning',
    size: 250,
    events: (size) => [
      endless,
      ...many(size, (at) => [
        user(`q${at}`, 'go'),
        appended({ ...message(`a${at}`, 'assistant', thinking('so'), 'gone'), reasoning: 'disposable' }),
      ]).flat(),
    ],
  },
  {
    name: 'calls that were abandoned',
    size: 250,
    events: (size) => [
      endless,
      user('q', 'x'),
      ...many(size, (at): readonly SessionEvent[] => [
        assistant(`a${at}`, call(`c${at}`)),
        {
          type: 'ToolCallAbandoned',
          data: { calls: [{ messageId: MessageId(`a${at}`), callId: `c${at}` }], reason: 'model-continued' },
        },
      ]).flat(),
    ],
  },
  { name: 'pins', size: 250, events: (size) => [endless, user('m', 'x'), ...many(size, (at) => pinned(at))] },
  {
    name: 'sub-agents that are running',
    size: 2_000,
    events: (size) => [
      endless,
      user('m', 'x'),
      {
        type: 'ContentPinned',
        data: {
          pin: {
            pinId: PinId('running-children'),
            kind: 'children',
            text: many(size, (at) => `child-${at}`).join('\n'),
            tokens: Tokens(size),
          },
          occupancyAfter: Tokens(size),
        },
      },
    ],
  },
  {
    name: 'bills',
    size: 250,
    events: (size) => [
      endless,
      ...many(size, (at) => [
        user(`q${at}`, 'go'),
        assistant(`a${at}`, 'gone'),
        billed(`a${at}`, (at * 2 + 1) * MESSAGE_TOKENS + 10),
      ]).flat(),
    ],
  },
  {
    name: 'requests that were composed',
    size: 250,
    events: (size) => [
      endless,
      ...many(size, (at) => [user(`q${at}`, 'go'), composed(at * 3 + 1), assistant(`a${at}`, 'gone')]).flat(),
    ],
  },
  { name: 'compactions', size: 250, events: (size) => compactionsOf(size) },
  {
    name: 'compactions that were reverted',
    size: 250,
    events: (size) => compactionsOf(size, (at) => [reverted(at)]),
  },
  {
    name: 'failed attempts of a compaction',
    size: 250,
    events: (size) => [endless, ...turnsOf(10), requested('k'), ...attempts(size)],
  },
  {
    name: 'deferrals of a compaction',
    size: 250,
    events: (size) => [
      endless,
      ...turnsOf(10),
      ...many(
        size,
        (at): SessionEvent => ({
          type: 'CompactionDeferred',
          data: {
            ...{
              compactionId: CompactionId(`k${at}`),
              trigger: 'explicit',
              until: 'released',
              by: Actor('user'),
            },
            ...{ reason: 'later', profile: endless.data.profile, occupancy: Tokens(10), turn: 1 },
          },
        }),
      ),
    ],
  },
  {
    name: 'changes of settings',
    size: 250,
    events: (size) => [
      endless,
      ...turnsOf(10),
      ...many(
        size,
        (): SessionEvent => ({
          type: 'SettingsChanged',
          data: { profile: endless.data.profile, limits: endless.data.limits, changed: ['warnAtShare'] },
        }),
      ),
    ],
  },
  {
    name: 'reports of edits',
    size: 250,
    events: (size) => [
      endless,
      ...turnsOf(10),
      ...many(
        size,
        (at): SessionEvent => ({
          type: 'ProviderContextEdited',
          data: {
            ...{ clearedToolUses: 1, clearedThinkingTurns: 0, clearedInputTokens: Tokens(10), turn: 1 },
            ...{ responseId: `r${at}`, reasoningClearedIn: [] },
          },
        }),
      ),
    ],
  },
  {
    name: 'tools that are declared',
    size: 250,
    events: (size) => [
      openedWith(
        ENDLESS,
        {},
        {
          tools: many(size, (at) => ({
            name: `tool_${at}`,
            description: 'x',
            input_schema: { type: 'object' },
          })),
        },
      ),
      ...stepsOf(10),
    ],
  },
  {
    name: 'length of the system prompt',
    size: 200_000,
    events: (size) => [openedWith(ENDLESS, {}, { systemPrompt: 'word '.repeat(size / 5) }), user('m', 'x')],
  },
  {
    name: 'length of a text',
    size: 200_000,
    events: (size) => [endless, user('q', 'x'), assistant('m', 'word '.repeat(size / 5))],
  },
  {
    name: 'length of a tool output',
    size: 200_000,
    events: (size) => [
      endless,
      user('q', 'x'),
      assistant('a', call('c')),
      user('r', result('c', 'word '.repeat(size / 5))),
    ],
  },
  {
    name: 'length of a summary',
    size: 100_000,
    events: (size) => [
      endless,
      user('q0', 'question'),
      assistant('a0', 'answer'),
      requested('k0'),
      completed(
        'k0',
        { messageId: MessageId('q0'), revision: Revision(1) },
        { messages: 0, turn: 1, compactions: 1 },
        'word. '.repeat(size / 6),
      ),
      user('q1', 'x'),
    ],
  },
  {
    name: 'tool outputs over their size, with automatic compaction',
    size: 250,
    events: (size) => [
      openedWith(ENDLESS, {
        ...staged,
        maxResultTokens: 10,
        maxResultTokensPerMessage: 10,
        previewTokens: 0,
      }),
      ...stepsOf(size),
      user('next', 'go on'),
    ],
  },
  {
    name: 'turns over the window, with automatic compaction',
    size: 250,
    events: (size) => [openedWith(size * MESSAGE_TOKENS, { ...staged }), ...turnsOf(size)],
  },
  {
    name: 'turns with reasoning, a request and a bill each, left out by stages',
    size: 250,
    events: (size) => [
      openedWith(size * 2 * MESSAGE_TOKENS * 1.2, { ...staged, mode: 'authorized' }),
      ...many(size, (at) => [
        user(`q${at}`, 'go'),
        composed(at * 4 + 1),
        assistant(`a${at}`, thinking(`why ${at}`), 'gone'),
        billed(`a${at}`, (at * 2 + 1) * MESSAGE_TOKENS + 10),
      ]).flat(),
    ],
  },
  {
    name: 'turns with a request and a bill each',
    size: 250,
    events: (size) => [
      openedWith(ENDLESS, { mode: 'automatic' }),
      ...many(size, (at) => [
        user(`q${at}`, 'go'),
        composed(at * 4 + 1),
        assistant(`a${at}`, 'gone'),
        billed(`a${at}`, (at * 2 + 1) * MESSAGE_TOKENS + 10),
      ]).flat(),
    ],
  },
];
