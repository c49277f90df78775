import type { CompactionId, Tokens } from '@app/kernel';
import type { DroppedOutput, ImportedCompaction } from '../facts.js';
import type { CollapsedSegment, DroppedReasoning, OffloadedResult } from '../marks.js';

/** Common field of marks: the size of the next request after all marks of the append. */
type Lighter = { occupancyAfter: Tokens };

/** Data of events by type. */
export type StageEvents = {
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
    /** The compaction in force. */ pivot: CompactionId | null;
  } & Lighter;
};
