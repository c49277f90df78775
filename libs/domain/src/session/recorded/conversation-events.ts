import type {
  CompactionId,
  IsoTime,
  MessageId,
  ModelName,
  NonEmpty,
  PinId,
  RequestId,
  Tokens,
} from '@app/kernel';
import type { Calibration } from '../../budget/calibration/calibration.js';
import type { Message } from '../../message/index.js';
import type { Cost, Usage } from '../../models/cost.js';
import type { CallReference, DroppedOutput, ImportedCompaction, Pin } from '../facts.js';
import type { CollapsedSegment, DroppedReasoning, OffloadedResult } from '../marks.js';

/** Common field of marks: the size of the next request after all marks of the append. */
type Lighter = { occupancyAfter: Tokens };

/** Data of events by type. */
export type ConversationEvents = {
  /** A message with the tokens counted by `estimator`: of the whole message in a request, and of each block. */
  MessageAppended: { message: Message; tokens: Tokens; blockTokens: readonly Tokens[]; estimator: NonEmpty };
  /**
   * The bill of a request. `reported`: usage of a request that this engine composed, which measures the session. `transcript`: usage from a
   * recording, which counts for cost only.
   */
  UsageReported: {
    usage: Usage;
    /** By the prices in force then; absent in events from before it was computed. */
    cost?: Cost;
    model: ModelName;
    outcome: 'completed' | 'aborted' | 'failed';
    source: 'reported' | 'transcript';
    /** The billed request; absent if this session composed none. */
    requestId?: RequestId;
    /** The time of the answer, if a transcript has it: the time of the cost. */
    at?: IsoTime;
    /** The billed answer: later messages are not included. */
    messageId?: MessageId;
    /** Whether it measures the context; usage of an earlier context or of a part of it counts for cost only. */
    countsFor: 'occupancy' | 'cost';
    /** Billed tokens of the next request, once it is recorded. */
    occupancyAfter: Tokens;
    /** The calibration from now on; absent if the request measures nothing. */
    calibration?: Calibration;
  };
  /** The turn has ended. */
  TurnCompleted: { turn: number; stopReason: string };
  /** Calls without a result get a synthetic one, so that they do not block compactions. */
  ToolCallAbandoned: { calls: readonly CallReference[]; reason: 'unanswered-after-turn' | 'model-continued' };
  /** Content that every request carries verbatim. Replaces the pin with the same id. */
  ContentPinned: { pin: Pin; occupancyAfter: Tokens };
  /** Requests no longer carry the pin. */
  ContentUnpinned: { pinId: PinId; occupancyAfter: Tokens };
  /** A tool result is too large for requests: from now on they carry a preview and the location of the rest. */
  ToolResultOffloaded: OffloadedResult & { turn: number } & Lighter;
  /** Old tool outputs leave requests, all at once; calls and results stay paired. */
  ToolOutputsPruned: {
    outputs: readonly DroppedOutput[];
    /** Tokens of newer outputs that stay. */
    kept: Tokens;
    /** Tokens of the outputs that are gone, before a line took the place of each. */
    pruned: Tokens;
    turn: number;
    /** Set if the agent of an imported session did it. */
    imported?: ImportedCompaction;
  } & Lighter;
  /** Reasoning beyond the protected turns leaves requests, for whole thinking loops; text and calls stay. */
  ReasoningDropped: { reasoning: readonly DroppedReasoning[]; turn: number } & Lighter;
  /** A turn became a few lines, because a request was too large and no compaction helped. */
  SegmentCollapsed: CollapsedSegment & {
    /** The compaction in force. */
    pivot: CompactionId | null;
  } & Lighter;
};
