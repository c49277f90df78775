import type { CompactionId, Event, JsonObject, MessageId, SessionId, TenantId, Tokens } from '@app/kernel';
import type { Limits } from '../budget/limits.js';
import type { Profile, StageName } from '../compaction/profile.js';
import type { TurnRetention } from '../compaction/retention.js';
import type { Message } from '../message/index.js';
import type { Entry } from './entry.js';
import type {
  AttemptError,
  CallReference,
  Cut,
  DroppedOutput,
  FileOperations,
  SkipReason,
  SummarizerIdentity,
  Trigger,
  Usage,
} from './facts.js';

export type * from './facts.js';

export type SessionOpened = Event<
  'SessionOpened',
  {
    tenantId: TenantId;
    sessionId: SessionId;
    model: string;
    limits: Limits;
    /** Every field, as it was on that day. */
    profile: Profile;
    /** Empty where the caller gave none. */
    systemPrompt: string;
    tools: readonly JsonObject[];
    /** Tokens of system prompt and tools. */
    fixedTokens: Tokens;
    parentSessionId?: SessionId;
    labels: { readonly [name: string]: string };
  }
>;

/** What the `estimator` counted: the message as a part of a request, and each of its blocks. */
export type MessageAppended = Event<
  'MessageAppended',
  { message: Message; tokens: Tokens; blockTokens: readonly Tokens[]; estimator: string }
>;

/**
 * `reported`: for a request that this engine composed, so it measures the session. `transcript`: for one that
 * somebody else composed, known from a recording: it is kept for the books and measures nothing here.
 */
export type UsageReported = Event<
  'UsageReported',
  {
    usage: Usage;
    model: string;
    outcome: 'completed' | 'aborted' | 'failed';
    source: 'reported' | 'transcript';
    /** The answer that was billed: what came after it is not in the figures. */
    messageId?: MessageId;
    /** Compactions completed when the request was composed, where that is not the number of now. */
    epoch?: number;
  }
>;

export type TurnCompleted = Event<'TurnCompleted', { turn: number; stopReason: string }>;
/** Calls that nobody will answer any more: they get a synthetic result, so that they block no compaction. */
export type ToolCallAbandoned = Event<
  'ToolCallAbandoned',
  { calls: readonly CallReference[]; reason: 'unanswered-after-turn' | 'model-went-on' }
>;

type Crossing = { occupancy: Tokens; threshold: Tokens; window: Tokens; turn: number };
export type CompactionWarning = Event<'CompactionWarning', Crossing>;
export type CompactionRequired = Event<'CompactionRequired', Crossing>;
export type CompactionThresholdHit = Event<'CompactionThresholdHit', Crossing>;

export type CompactionRequested = Event<
  'CompactionRequested',
  {
    compactionId: CompactionId;
    trigger: Trigger;
    /** The policy of this one compaction. */
    profile: Profile;
    instructions?: string;
    occupancy: Tokens;
    turn: number;
  }
>;

/** Nothing was asked of a summarizer. `compactionId` is there where one had been requested. */
export type CompactionSkipped = Event<
  'CompactionSkipped',
  { compactionId?: CompactionId; trigger: Trigger; reason: SkipReason }
>;

export type CompactionStarted = Event<
  'CompactionStarted',
  {
    compactionId: CompactionId;
    attempt: number;
    worker: string;
    summarizer: SummarizerIdentity;
    /** What will be done, in this order. */
    stages: readonly StageName[];
    turn: number;
    cut: Cut;
    splitTurn: boolean;
    coveredMessages: number;
    coveredTokens: Tokens;
    tokensBefore: Tokens;
    target: Tokens;
    /** SHA-256 of the summarizer's input, hexadecimal. */
    inputHash: string;
  }
>;

export type CompactionAttemptFailed = Event<
  'CompactionAttemptFailed',
  { compactionId: CompactionId; attempt: number; error: AttemptError; usage?: Usage }
>;
export type CompactionSummaryOversize = Event<
  'CompactionSummaryOversize',
  { compactionId: CompactionId; attempt: number; tokens: Tokens; atMost: Tokens }
>;
export type CompactionNoProgress = Event<
  'CompactionNoProgress',
  { compactionId: CompactionId; attempt: number; before: Tokens; after: Tokens; atMost: Tokens }
>;

/** All that a reader needs so that nothing before the cut must ever be read again. */
export type OpeningState = {
  readonly opened: SessionOpened['data'];
  readonly model: string;
  readonly limits: Limits;
  readonly profile: Profile;
  /** System messages from the head of the session: part of the system prompt, and never compacted. */
  readonly leadingSystem: readonly Entry[];
  /** The message that began the split turn: it stays word for word, although the cut is behind it. */
  readonly carried?: Entry;
  /** Messages appended before the cut, and the number of the turn that the cut stands in. */
  readonly messagesBefore: number;
  readonly turnAtCut: number;
  /** Calls among the retained messages that were abandoned, or whose output was dropped. */
  readonly abandonedCalls: readonly CallReference[];
  readonly droppedOutputs: readonly DroppedOutput[];
  readonly turnCompleted: number;
  /** This one included. */
  readonly compactions: number;
};

export type CompactionCompleted = Event<
  'CompactionCompleted',
  {
    compactionId: CompactionId;
    attempt: number;
    worker: string;
    trigger: Trigger;
    turn: number;
    /** `null` where dropping tool outputs was enough and no earlier summary had to be carried on. */
    summary: string | null;
    /** Tokens of the message that frames the summary; 0 without one. */
    summaryTokens: Tokens;
    cut: Cut;
    splitTurn: boolean;
    /** The exact range that the summary stands for, earlier summaries not included. */
    covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
    tokensBefore: Tokens;
    tokensAfter: Tokens;
    target: Tokens;
    /** Why the target is not the policy's, where it is not. */
    targetRaised?: { readonly from: Tokens; readonly because: string };
    retention: readonly TurnRetention[];
    /** Dropped by this compaction. */
    droppedOutputs: readonly DroppedOutput[];
    fileOperations: FileOperations;
    summarizer: SummarizerIdentity;
    usage?: Usage;
    durationMs: number;
    opening: OpeningState;
  }
>;
export type CompactionFailed = Event<
  'CompactionFailed',
  { compactionId: CompactionId; attempts: number; error: AttemptError }
>;
/** The rebuilt context is in force. */
export type CompactionApplied = Event<
  'CompactionApplied',
  { compactionId: CompactionId; occupancyBefore: Tokens; occupancyAfter: Tokens; warningCleared: boolean }
>;
/** A result that came after another worker's: paid for, and not applied. */
export type CompactionDoubleRan = Event<
  'CompactionDoubleRan',
  { compactionId: CompactionId; attempt: number; worker: string; usage?: Usage }
>;

/**
 * Everything that can happen to a session, in the shape in which it is stored for ever. To change one, add an
 * optional field, or a new type and an upcaster; never rename or retype.
 */
export type SessionEvent =
  | SessionOpened
  | MessageAppended
  | UsageReported
  | TurnCompleted
  | ToolCallAbandoned
  | CompactionWarning
  | CompactionRequired
  | CompactionThresholdHit
  | CompactionRequested
  | CompactionSkipped
  | CompactionStarted
  | CompactionAttemptFailed
  | CompactionSummaryOversize
  | CompactionNoProgress
  | CompactionCompleted
  | CompactionFailed
  | CompactionApplied
  | CompactionDoubleRan;
export type SessionEventType = SessionEvent['type'];

/** Every type of event, once; a new one that is missing here does not compile. */
const TYPES: Readonly<Record<SessionEventType, true>> = {
  SessionOpened: true,
  MessageAppended: true,
  UsageReported: true,
  TurnCompleted: true,
  ToolCallAbandoned: true,
  CompactionWarning: true,
  CompactionRequired: true,
  CompactionThresholdHit: true,
  CompactionRequested: true,
  CompactionSkipped: true,
  CompactionStarted: true,
  CompactionAttemptFailed: true,
  CompactionSummaryOversize: true,
  CompactionNoProgress: true,
  CompactionCompleted: true,
  CompactionFailed: true,
  CompactionApplied: true,
  CompactionDoubleRan: true,
};
export const isSessionEventType = (type: string): type is SessionEventType => Object.hasOwn(TYPES, type);
export const sessionEventTypes = (): readonly string[] => Object.keys(TYPES);
