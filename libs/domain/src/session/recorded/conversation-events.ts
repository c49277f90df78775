import type { Event, IsoTime, MessageId, PinId, RequestId, Tokens } from '@app/kernel';
import type { Calibration } from '../../budget/calibration/calibration.js';
import type { Message } from '../../message/index.js';
import type { Cost } from '../../models/cost.js';
import type { Usage } from '../../models/usage.js';
import type { CallReference, Pin } from '../facts.js';

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
    /** By the prices in force then; absent in events from before it was computed. */
    cost?: Cost;
    model: string;
    outcome: 'completed' | 'aborted' | 'failed';
    source: 'reported' | 'transcript';
    /** The request that it pays for; absent where none was composed, or none of this session's. */
    requestId?: RequestId;
    /** When the answer was given, where a transcript tells that: the books have it at that time. */
    at?: IsoTime;
    /** The answer that was billed: what came after it is not in the figures. */
    messageId?: MessageId;
    /** Whether it says how large the context is; one of an earlier context, or of a part of it, counts for cost alone. */
    countsFor: 'occupancy' | 'cost';
    /** Billed tokens of the next request, once it is recorded. */
    occupancyAfter: Tokens;
    /** What is known of the model's tokens from now on; absent where the request measures nothing. */
    calibration?: Calibration;
  }
>;

export type TurnCompleted = Event<'TurnCompleted', { turn: number; stopReason: string }>;

/** Calls that nobody will answer any more: they get a synthetic result, so that they block no compaction. */
export type ToolCallAbandoned = Event<
  'ToolCallAbandoned',
  { calls: readonly CallReference[]; reason: 'unanswered-after-turn' | 'model-continued' }
>;

/** Content that every request carries word for word, in place of what was pinned under its id before. */
export type ContentPinned = Event<'ContentPinned', { pin: Pin; occupancyAfter: Tokens }>;

export type ContentUnpinned = Event<'ContentUnpinned', { pinId: PinId; occupancyAfter: Tokens }>;
