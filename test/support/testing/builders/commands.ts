import {
  type AttemptError,
  type CommandOf,
  DEFAULT_PROFILE,
  type HoldUntil,
  type Message,
  type PartDigests,
  type Profile,
  type ProviderEdits,
  type RequestBill,
  type SummarizerIdentity,
  type Trigger,
} from '@app/domain';
import {
  Actor,
  CompactionId,
  MessageId,
  RequestId,
  Revision,
  SessionId,
  TenantId,
  Tokens,
} from '@app/kernel';
import { counted } from './count.js';

/** The session of all builders. */
export const SESSION = SessionId('s1');
export const SUMMARIZER: SummarizerIdentity = { name: 'scripted', promptVersion: '1', deterministic: true };

export type Opening = Partial<
  Omit<CommandOf<'OpenSession'>['data'], 'profile' | 'limits' | 'fixedTokens'>
> & {
  /** The window in tokens; the profile's shares refer to it. */
  readonly window?: number;
  readonly limits?: Partial<CommandOf<'OpenSession'>['data']['limits']>;
  /** Overrides of the default profile. */
  readonly profile?: Partial<Profile>;
  readonly fixedTokens?: number;
};

/** Opens the session, by default with the default profile and a window of 2,000 tokens. */
export const open = ({
  window = 2_000,
  limits,
  profile,
  fixedTokens = 10,
  ...data
}: Opening = {}): CommandOf<'OpenSession'> => ({
  type: 'OpenSession',
  data: {
    tenantId: TenantId('t1'),
    sessionId: SESSION,
    model: 'claude-opus-4-6',
    systemPrompt: 'You are an agent.',
    tools: [],
    labels: {},
    ...data,
    limits: { window: Tokens(window), windowSource: 'given', ...limits },
    profile: { ...DEFAULT_PROFILE, ...profile },
    fixedTokens: Tokens(fixedTokens),
  },
});

export const append = (...messages: readonly Message[]): CommandOf<'AppendMessages'> => ({
  type: 'AppendMessages',
  data: { sessionId: SESSION, messages: messages.map(counted) },
});

export type Bill = Partial<Omit<RequestBill, 'usage' | 'messageId'>> & {
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  readonly messageId?: string;
};
/** A usage report, by default for a completed call of this engine. */
export const usage = ({
  input = 0,
  cacheRead = 0,
  cacheWrite = 0,
  output = 0,
  messageId,
  ...rest
}: Bill): RequestBill => ({
  usage: {
    inputTokens: Tokens(input),
    cacheReadTokens: Tokens(cacheRead),
    cacheWriteTokens: Tokens(cacheWrite),
    outputTokens: Tokens(output),
  },
  model: 'claude-opus-4-6',
  outcome: 'completed',
  source: 'reported',
  ...(messageId !== undefined && { messageId: MessageId(messageId) }),
  ...rest,
});
/** Appends messages with the bill of the last one. */
export const appendBilled = (bill: Bill, ...messages: readonly Message[]): CommandOf<'AppendMessages'> => ({
  type: 'AppendMessages',
  data: { sessionId: SESSION, messages: messages.map(counted), usage: usage(bill) },
});

export const completeTurn = (stopReason = 'end_turn'): CommandOf<'CompleteTurn'> => ({
  type: 'CompleteTurn',
  data: { sessionId: SESSION, stopReason },
});
export const checkBudget = (compactionId = 'auto'): CommandOf<'CheckBudget'> => ({
  type: 'CheckBudget',
  data: { sessionId: SESSION, compactionId: CompactionId(compactionId) },
});
/** Digests of parts for tests that do not compare them. */
export const PART_DIGESTS: PartDigests = { systemPrompt: 'b'.repeat(64), tools: 'c'.repeat(64) };

/** `digest` represents the composed request; `reason` makes it an override. */
export const composeRequest = (
  { digest = 'a'.repeat(64), ...data }: Partial<Omit<CommandOf<'ComposeRequest'>['data'], 'override'>> = {},
  reason?: string,
): CommandOf<'ComposeRequest'> => ({
  type: 'ComposeRequest',
  data: {
    sessionId: SESSION,
    requestId: RequestId(`req-${data.revision ?? 0}-${digest.slice(0, 12)}`),
    format: 'anthropic',
    revision: Revision(0),
    notes: [],
    digest,
    parts: PART_DIGESTS,
    ...data,
    ...(reason !== undefined && { override: { reason } }),
  },
});
/** A provider has rejected the newest request as too large. */
export const reportOverflow = (compactionId = 'o1'): CommandOf<'ReportOverflow'> => ({
  type: 'ReportOverflow',
  data: { sessionId: SESSION, compactionId: CompactionId(compactionId) },
});
export const request = (
  compactionId = 'c1',
  options: { profile?: Partial<Profile>; instructions?: string; trigger?: Trigger } = {},
): CommandOf<'RequestCompaction'> => ({
  type: 'RequestCompaction',
  data: {
    sessionId: SESSION,
    compactionId: CompactionId(compactionId),
    trigger: options.trigger ?? 'explicit',
    ...(options.profile && { profile: { ...DEFAULT_PROFILE, ...options.profile } }),
    ...(options.instructions !== undefined && { instructions: options.instructions }),
  },
});
/** A user's hold on automatic compactions, and its release. */
export const deferCompactions = (
  until: HoldUntil,
  reason = 'a migration',
): CommandOf<'DeferCompactions'> => ({
  type: 'DeferCompactions',
  data: { sessionId: SESSION, until, by: Actor('workflow'), reason },
});
export const releaseCompactions = (): CommandOf<'ReleaseCompactions'> => ({
  type: 'ReleaseCompactions',
  data: { sessionId: SESSION, by: Actor('workflow'), reason: 'migrated' },
});
export const start = (compactionId = 'c1', worker = 'w1'): CommandOf<'StartCompaction'> => ({
  type: 'StartCompaction',
  data: {
    sessionId: SESSION,
    compactionId: CompactionId(compactionId),
    worker,
    summarizer: SUMMARIZER,
    inputHash: '0'.repeat(64),
  },
});
/** A provider's report on its context management, with the given fields only. */
export const reportEdits = (
  edits: Partial<ProviderEdits>,
  responseId?: string,
): CommandOf<'ReportEdits'> => ({
  type: 'ReportEdits',
  data: {
    sessionId: SESSION,
    ...(responseId !== undefined && { responseId }),
    edits: { clearedToolUses: 0, clearedThinkingTurns: 0, clearedInputTokens: Tokens(0), ...edits },
  },
});
export const failAttempt = (
  compactionId = 'c1',
  attempt = 1,
  error: AttemptError = { rule: 'timeout', detail: '120 s' },
): CommandOf<'FailAttempt'> => ({
  type: 'FailAttempt',
  data: { sessionId: SESSION, compactionId: CompactionId(compactionId), attempt, worker: 'w1', error },
});
