import {
  type Block,
  type Cost,
  DEFAULT_PROFILE,
  type EventData,
  type EventOf,
  type Message,
  type SessionEvent,
} from '@app/domain';
import {
  Actor,
  CompactionId,
  IsoTime,
  MatterName,
  MessageId,
  NanoUsd,
  RequestId,
  Revision,
  Tokens,
} from '@app/kernel';
import { SESSION, TENANT } from './scripted-log.js';

const SUMMARIZER = { name: 'extractive', promptVersion: 'e1', deterministic: true } as const;
const PRICED: Cost = {
  nanoUsd: NanoUsd(1_234),
  prices: [
    {
      model: 'small-1',
      rates: { input: NanoUsd(1), output: NanoUsd(2), cacheRead: NanoUsd(0) },
      source: 'a list',
      asOf: '2026-01-01',
    },
  ],
};
const UNPRICED: Cost = {
  prices: [],
  unpriced: [{ model: 'small-1', reason: 'unknown-model', tokens: Tokens(599) }],
};
const CUT = { messageId: MessageId('m-3'), revision: Revision(4) };

export const opened = (data: Partial<EventData<'SessionOpened'>> = {}): EventOf<'SessionOpened'> => ({
  type: 'SessionOpened',
  data: {
    tenantId: TENANT,
    sessionId: SESSION,
    model: 'claude-x',
    limits: { window: Tokens(1_000), windowSource: 'given' },
    profile: DEFAULT_PROFILE,
    systemPrompt: '',
    tools: [],
    fixedTokens: Tokens(100),
    labels: {},
    ...data,
  },
});

export const appended = (
  id: string,
  tokens: number,
  {
    role = 'user',
    blocks = [{ type: 'text', text: 'hello' }],
  }: Partial<Pick<Message, 'role' | 'blocks'>> = {},
): EventOf<'MessageAppended'> => ({
  type: 'MessageAppended',
  data: {
    // Some tests need ids that the API rejects.
    message: { id: id as MessageId, role, blocks },
    tokens: Tokens(tokens),
    blockTokens: blocks.map(() => Tokens(tokens)),
    estimator: 'test-1',
  },
});

const marked = (callId: string, freed: number) => ({
  messageId: MessageId('m-2'),
  callId,
  freed: Tokens(freed),
});
/** Fields about the next request that every event of a mark has. */
const then = { occupancyAfter: Tokens(690) };

const usage = (inputTokens: number, outputTokens = 0) => ({
  inputTokens: Tokens(inputTokens),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
  outputTokens: Tokens(outputTokens),
});
export const billed = (
  tokens: number,
  data: Partial<EventData<'UsageReported'>> = {},
): EventOf<'UsageReported'> => ({
  type: 'UsageReported',
  data: {
    ...{ usage: usage(tokens), model: 'claude-x', outcome: 'completed', source: 'reported' },
    ...{ countsFor: 'occupancy', occupancyAfter: Tokens(tokens) },
    ...data,
  },
});

/** A request that compactions made smaller by `countedSaved` counted tokens. */
export const composed = (countedSaved = 0): EventOf<'RequestComposed'> => ({
  type: 'RequestComposed',
  data: {
    requestId: RequestId('req-7-cd34'),
    format: 'anthropic',
    revision: Revision(7),
    turn: 2,
    occupancy: Tokens(820),
    counted: Tokens(700),
    window: Tokens(1_000),
    state: 'normal',
    epoch: 1,
    stages: [],
    notes: [],
    digest: 'cd34',
    parts: { systemPrompt: 'aa01', tools: 'aa02' },
    ...(countedSaved > 0 && { countedSaved: Tokens(countedSaved) }),
  },
});

export const requested = (
  id: string,
  data: Partial<EventData<'CompactionRequested'>> = {},
): EventOf<'CompactionRequested'> => ({
  type: 'CompactionRequested',
  data: {
    compactionId: CompactionId(id),
    trigger: 'explicit',
    profile: DEFAULT_PROFILE,
    occupancy: Tokens(900),
    turn: 2,
    ...data,
  },
});
export const started = (
  id: string,
  attempt = 1,
  data: Partial<EventData<'CompactionStarted'>> = {},
): EventOf<'CompactionStarted'> => ({
  type: 'CompactionStarted',
  data: {
    compactionId: CompactionId(id),
    attempt,
    worker: 'w-1',
    summarizer: SUMMARIZER,
    stages: ['summarize'],
    turn: 2,
    cut: CUT,
    splitTurn: false,
    coveredMessages: 2,
    coveredTokens: Tokens(300),
    countedBefore: Tokens(900),
    billedBefore: Tokens(1_100),
    target: Tokens(480),
    inputHash: 'ab12',
    ...data,
  },
});
export const completed = (
  id: string,
  data: Partial<EventData<'CompactionCompleted'>> = {},
): EventOf<'CompactionCompleted'> => ({
  type: 'CompactionCompleted',
  data: {
    compactionId: CompactionId(id),
    attempt: 1,
    worker: 'w-1',
    trigger: 'explicit',
    turn: 2,
    summary: 'what was',
    summaryTokens: Tokens(50),
    cut: CUT,
    splitTurn: false,
    covered: { from: MessageId('m-1'), to: MessageId('m-2'), messages: 2 },
    countedBefore: Tokens(900),
    billedBefore: Tokens(1_100),
    countedAfter: Tokens(400),
    billedAfter: Tokens(650),
    target: Tokens(480),
    retention: [retained(1, 'm-1', 'm-2', 'summarized'), retained(2, 'm-3', 'm-4', 'verbatim')],
    droppedOutputs: [],
    fileOperations: { read: [], modified: [] },
    summarizer: SUMMARIZER,
    usage: usage(700, 60),
    cost: PRICED,
    durationMs: 12.5,
    opening: {
      opened: opened().data,
      model: 'claude-x',
      limits: opened().data.limits,
      profile: DEFAULT_PROFILE,
      leadingSystem: [],
      messagesBefore: 2,
      turnAtCut: 2,
      abandonedCalls: [],
      droppedOutputs: [],
      turnCompleted: 1,
      compactions: 1,
    },
    ...data,
  },
});
const retained = (turn: number, from: string, to: string, rule: 'verbatim' | 'summarized') => ({
  turn,
  from: MessageId(from),
  to: MessageId(to),
  messages: 2,
  tokens: Tokens(300),
  rule,
  toolOutputs: 'none' as const,
  reasoning: 'none' as const,
});

const crossing = { occupancy: Tokens(900), threshold: Tokens(800), window: Tokens(1_000), turn: 2 };

/** Part of the audit, and thus not content. */
const REASON = 'ticket 42 asks for it';

const KEPT = { by: Actor('key:1'), at: IsoTime('2026-01-01T00:00:00Z') };

/** A session that is kept and held, after a hold and a period that ended. */
const protections = (): readonly SessionEvent[] => {
  const [first, second] = [MatterName('case-1'), MatterName('case-2')];
  const until = IsoTime('2026-02-01T00:00:00Z');
  const later = IsoTime('2033-02-01T00:00:00Z');
  return [
    {
      type: 'RetentionPeriodSet',
      data: { mode: 'governance', until, days: 31, source: 'tenant-default', ...KEPT },
    },
    { type: 'LegalHoldPlaced', data: { matter: first, reason: REASON, ...KEPT } },
    { type: 'LegalHoldPlaced', data: { matter: second, reason: REASON, ...KEPT } },
    { type: 'LegalHoldReleased', data: { matter: first, reason: REASON, ...KEPT } },
    { type: 'RetentionPeriodRemoved', data: { previousUntil: until, reason: REASON, ...KEPT } },
    { type: 'RetentionPeriodSet', data: { mode: 'compliance', until, source: 'caller', ...KEPT } },
    { type: 'RetentionPeriodEnded', data: { until, at: until } },
    {
      type: 'RetentionPeriodSet',
      data: { mode: 'compliance', until: later, source: 'caller', reason: REASON, ...KEPT },
    },
  ];
};

/** A session with every kind of event, and `content` wherever a user's words may be. */
export const everything = (content: string): readonly SessionEvent[] => {
  const blocks: readonly Block[] = [
    { type: 'text', text: content, note: content },
    { type: 'image', source: { data: content } },
    { type: 'document', source: { data: content } },
    { type: 'tool_use', id: 'call-1', name: 'read', input: { path: content, [content]: 1 } },
    { type: 'tool_result', tool_use_id: 'call-1', content },
    { type: 'thinking', thinking: content, signature: content },
    { type: 'redacted_thinking', data: content },
    { type: 'provider_block', anything: content },
  ];
  const first = appended('m-1', 150, { blocks });
  const c = (id: string) => CompactionId(id);
  const opening = opened({
    systemPrompt: content,
    tools: [{ name: content, description: content }],
    // Metadata, which the rows show: not content.
    title: 'Parser',
    agent: 'codex',
    project: 'parser',
    labels: { team: 'core' },
    profile: { ...DEFAULT_PROFILE, description: content },
  });
  const entry = {
    message: first.data.message,
    revision: Revision(1),
    tokens: Tokens(150),
    blockTokens: first.data.blockTokens,
    turn: 1,
    position: 0,
  };
  const done = completed('c-4');
  return [
    opening,
    first,
    appended('m-2', 150, { role: 'assistant', blocks }),
    { type: 'TurnCompleted', data: { turn: 1, stopReason: 'end_turn' } },
    appended('m-3', 200, { blocks }),
    appended('m-4', 300, { role: 'assistant', blocks }),
    billed(0),
    billed(800, { messageId: MessageId('m-3'), requestId: RequestId('req-7-cd34') }),
    {
      type: 'RequestCounted',
      data: {
        turn: 2,
        model: 'claude-x',
        counter: 'provider',
        tokens: Tokens(815),
        estimated: Tokens(790),
        contributed: Tokens(20),
      },
    },
    {
      type: 'RequestPartsChanged',
      data: {
        systemPrompt: { digest: 'aa01', text: content, keptStart: 3, keptEnd: 4 },
        tools: { digest: 'aa02', text: content },
        fixedTokens: Tokens(110),
        occupancyAfter: Tokens(810),
        contributions: { digest: 'aa03', given: [{ name: 'todo', text: content }] },
        client: {
          format: 'anthropic',
          before: { digest: 'aa04', text: content },
          separator: ',',
          after: { digest: 'aa05', text: content },
          forms: [
            { messageId: MessageId('m-2'), form: [[content, 0]] },
            { messageId: MessageId('m-3'), form: null },
          ],
          literal: { digest: 'aa06', text: content },
        },
      },
    },
    {
      type: 'RequestComposed',
      data: {
        requestId: RequestId('req-7-cd34'),
        format: 'anthropic',
        revision: Revision(7),
        turn: 2,
        occupancy: Tokens(820),
        counted: Tokens(700),
        window: Tokens(1_000),
        state: 'warning',
        epoch: 0,
        stages: [],
        notes: [{ action: 'omitted-reasoning', reason: 'unsigned', count: 2 }],
        digest: 'cd34',
        parts: { systemPrompt: 'aa01', tools: 'aa02', contributions: 'aa03', client: 'aa04' },
        contributions: [{ name: 'todo', tokens: Tokens(20) }],
        failedProviders: ['clock'],
        maxOutput: Tokens(100),
        ladder: {
          rung: 'truncate-messages',
          masked: 2,
          droppedGroups: 1,
          truncated: [{ messageId: MessageId('m1'), countedBefore: Tokens(500), countedAfter: Tokens(200) }],
          tokens: Tokens(700),
        },
        ladderOption: 'truncate',
      },
    },
    {
      type: 'RequestRefused',
      data: {
        reason: 'compaction-required',
        turn: 2,
        state: 'critical',
        occupancy: Tokens(960),
        threshold: Tokens(950),
        window: Tokens(1_000),
        remedies: [
          { remedy: 'compact', billedAfter: Tokens(400) },
          { remedy: 'override', billedAfter: Tokens(960), maxOutput: Tokens(40) },
          { remedy: 'use-larger-model', window: Tokens(1_100) },
        ],
        largest: { messageId: MessageId('m1'), billedTokens: Tokens(500) },
      },
    },
    {
      type: 'LadderEntered',
      data: { turn: 2, rung: 'drop-groups', occupancy: Tokens(990), window: Tokens(1_000) },
    },
    { type: 'LadderExited', data: { turn: 2, requests: 3 } },
    { type: 'OverflowReported', data: { turn: 2, tokens: Tokens(960), rung: 'mask-outputs' } },
    {
      type: 'ContextOverflowed',
      data: {
        turn: 2,
        reason: 'ladder-exhausted',
        rung: 'newest-group',
        tokens: Tokens(970),
        budget: Tokens(949),
        parts: [{ part: 'newest atomic group', tokens: Tokens(900) }],
        remedies: [{ remedy: 'wait' }],
      },
    },
    {
      type: 'CompactionOverridden',
      data: { turn: 2, reason: REASON, occupancy: Tokens(960), threshold: Tokens(950) },
    },
    { type: 'WarningThresholdReached', data: crossing },
    { type: 'CompactionRequired', data: crossing },
    { type: 'BlockingThresholdReached', data: crossing },
    { type: 'CompactionThresholdHit', data: { ...crossing, by: 'trigger' } },
    {
      type: 'OccupancyFell',
      data: { ...crossing, contributed: Tokens(3), below: 'blocking', state: 'critical' },
    },
    {
      type: 'ToolCallAbandoned',
      data: { calls: [{ messageId: MessageId('m-2'), callId: content }], reason: 'unanswered-after-turn' },
    },
    {
      type: 'ToolResultOffloaded',
      data: { ...marked(content, 200), tokens: Tokens(900), reason: 'result-too-large', turn: 1, ...then },
    },
    {
      type: 'ToolOutputsPruned',
      data: { outputs: [marked(content, 60)], kept: Tokens(40), pruned: Tokens(92), turn: 1, ...then },
    },
    {
      type: 'ReasoningDropped',
      data: { reasoning: [{ messageId: MessageId('m-2'), freed: Tokens(9) }], turn: 1, ...then },
    },
    {
      type: 'SegmentCollapsed',
      data: {
        ...{ turn: 1, messageId: MessageId('m-2'), to: MessageId('m-3'), messages: 2, pivot: null },
        ...{ tokens: Tokens(300), freed: Tokens(100), ...then },
      },
    },
    {
      type: 'CompactionSkipped',
      data: {
        trigger: 'threshold',
        reason: { rule: 'nothing-to-drop', messages: 4, counted: Tokens(900), occupancy: Tokens(1_100) },
      },
    },
    requested('c-1', { instructions: content }),
    {
      type: 'CompactionSkipped',
      data: {
        compactionId: c('c-1'),
        trigger: 'explicit',
        reason: {
          rule: 'floor-too-high',
          countedFloor: Tokens(990),
          countedBudget: Tokens(800),
          parts: [{ part: 'system prompt', tokens: Tokens(100) }],
        },
      },
    },
    requested('c-2', { profile: { ...DEFAULT_PROFILE, description: content } }),
    started('c-2', 1, { contextLines: [content, content] }),
    {
      type: 'CompactionSummaryExceededLimit',
      data: { compactionId: c('c-2'), attempt: 1, tokens: Tokens(99), countedLimit: Tokens(90) },
    },
    {
      type: 'CompactionAttemptFailed',
      data: {
        compactionId: c('c-2'),
        attempt: 1,
        error: { rule: 'oversize', detail: '99 of 90' },
        usage: usage(500, 99),
        cost: UNPRICED,
      },
    },
    {
      type: 'CompactionFailed',
      data: { compactionId: c('c-2'), attempts: 1, error: { rule: 'oversize', detail: '99 of 90' } },
    },
    requested('c-4'),
    started('c-4'),
    {
      type: 'CompactionReasoningDowngraded',
      data: { compactionId: c('c-4'), attempt: 1, marks: 1, blocks: 2 },
    },
    {
      type: 'CompactionYieldedNoGain',
      data: {
        compactionId: c('c-4'),
        attempt: 1,
        countedBefore: Tokens(9),
        countedAfter: Tokens(9),
        countedLimit: Tokens(8),
      },
    },
    {
      type: 'CompactionAttemptFailed',
      data: {
        compactionId: c('c-4'),
        attempt: 1,
        error: { rule: 'no-gain', detail: '9 of 9' },
        usage: usage(10, 5),
        cost: PRICED,
      },
    },
    started('c-4', 2),
    {
      ...done,
      data: {
        ...done.data,
        attempt: 2,
        summary: content,
        fileOperations: { read: [content], modified: [content] },
        droppedOutputs: [{ messageId: MessageId('m-2'), callId: content, freed: Tokens(5) }],
        targetRaised: { from: Tokens(400), reason: 'the protected turns fill it' },
        protection: {
          by: 'turns',
          wanted: 4,
          kept: 2,
          countedUnreduced: Tokens(900),
          countedLimit: Tokens(700),
          reason: 'there is no room for more',
        },
        opening: {
          ...done.data.opening,
          opened: opening.data,
          profile: opening.data.profile,
          leadingSystem: [entry],
          carried: entry,
        },
      },
    },
    {
      type: 'CompactionApplied',
      data: {
        compactionId: c('c-4'),
        countedBefore: Tokens(900),
        countedAfter: Tokens(400),
        billedBefore: Tokens(1_100),
        billedAfter: Tokens(650),
        warningCleared: true,
      },
    },
    {
      type: 'CompactionMadeNoProgress',
      data: {
        compactionId: c('c-4'),
        compactions: 2,
        occupancyAfter: Tokens(650),
        threshold: Tokens(600),
      },
    },
    {
      type: 'CompactionDuplicated',
      data: { compactionId: c('c-4'), attempt: 1, worker: 'w-2', usage: usage(20, 5) },
    },
    {
      type: 'CompactionDuplicated',
      data: {
        compactionId: c('c-4'),
        attempt: 1,
        worker: 'provider',
        usage: usage(30, 6),
        provider: {
          compacted: true,
          clearedToolUses: 3,
          clearedThinkingTurns: 1,
          clearedInputTokens: Tokens(70),
        },
        applied: { worker: 'w-1', usage: usage(10, 2) },
      },
    },
    { type: 'CompactionAwaited', data: { compactionId: c('c-4'), turn: 2 } },
    {
      type: 'ContinuationQueued',
      data: { compactionId: c('c-4'), messageId: MessageId('m-9'), turn: 2, reason: 'threshold' },
    },
    {
      type: 'ProviderContextEdited',
      data: {
        turn: 2,
        responseId: 'msg_1',
        clearedToolUses: 3,
        clearedThinkingTurns: 1,
        clearedInputTokens: Tokens(70),
        compaction: { usage: usage(30, 6) },
        reasoningClearedIn: [1],
      },
    },
    { type: 'DuplicateCompactionConfigured', data: { profile: 'core', since: 'settings-changed' } },
    {
      type: 'SessionDescribed',
      data: {
        title: 'Dates',
        labels: { team: 'core', ticket: '7' },
        changed: ['title', 'project', 'labels'],
      },
    },
    appended('m-5', 40, { blocks }),
    { type: 'CompactionsHeld', data: { until: 'released', by: Actor('workflow'), reason: REASON, turn: 3 } },
    {
      type: 'CompactionDeferred',
      data: {
        compactionId: c('c-5'),
        trigger: 'threshold',
        until: 'released',
        by: Actor('workflow'),
        reason: REASON,
        profile: { ...DEFAULT_PROFILE, description: content },
        instructions: content,
        occupancy: Tokens(690),
        turn: 3,
      },
    },
    {
      type: 'CompactionDeferred',
      data: {
        compactionId: c('c-5'),
        trigger: 'requested-mid-turn',
        until: 'turn-end',
        by: Actor('alice'),
        reason: REASON,
        profile: DEFAULT_PROFILE,
        occupancy: Tokens(690),
        turn: 3,
        deferredAt: Revision(44),
      },
    },
    { type: 'CompactionsReleased', data: { by: Actor('workflow'), reason: REASON } },
    requested('c-5', { trigger: 'idle', deferredAt: Revision(44) }),
    {
      type: 'ProjectionSkipped',
      data: {
        projection: 'sessions',
        revision: Revision(2),
        position: '1152',
        reason: 'its row cannot be written',
      },
    },
    ...protections(),
  ];
};
