import type { Message, PinKind } from '@app/domain';
import type { CompactionId, IsoTime, MessageId, Revision, SessionId, Tokens } from '@app/kernel';

/**
 * What a compaction or a reset did with a message, or with the summary that stands for it. `covered`: its summary
 * stands for the message; `folded`: it took the summary before it into its own; `carried-on`: it left that summary as
 * it was; `cleared`: a reset, which leaves no summary.
 */
export type ProvenanceLink = {
  readonly compactionId: CompactionId;
  readonly did: 'covered' | 'folded' | 'carried-on' | 'cleared';
  readonly revision: Revision;
  readonly at: IsoTime;
  /** The range that it covered itself. */
  readonly covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
  readonly isInForce: boolean;
};

/** A tool output that requests show no more, and the compaction that dropped it, where this session's log knows it. */
export type OutputGone = { readonly callId: string; readonly droppedBy: CompactionId | null };

/** Its results are stored aside, its reasoning is dropped, or its whole turn is collapsed. */
export type MessageStage = 'offload-results' | 'drop-reasoning' | 'collapse';

export type MessagePlace =
  | {
      readonly status: 'in-full';
      /** Why no compaction has it. */
      readonly because: 'not-compacted' | 'after-the-cut' | 'carried' | 'system';
      readonly appendedAt: Revision;
      readonly turn: number;
      readonly tokens: Tokens;
      /** Outputs of its calls, or in it, that are replaced by a line. */
      readonly droppedOutputs: readonly OutputGone[];
      /** What durable stages leave out of it in requests, beside those. */
      readonly stages: readonly MessageStage[];
    }
  /** `covered`: through a summary; `cleared`: not at all. The chain goes from the oldest to the newest. */
  | {
      readonly status: 'covered' | 'cleared';
      readonly appendedAt: Revision;
      readonly chain: readonly ProvenanceLink[];
    }
  /** The compaction that it was to continue the session after was reverted, and the message with it. */
  | { readonly status: 'withdrawn'; readonly appendedAt: Revision }
  | { readonly status: 'pinned'; readonly kind: PinKind; readonly tokens: Tokens }
  | {
      readonly status: 'unknown';
      /** What the session was forked from: an older message stands in that one's log. */
      readonly forkedFrom: { readonly sessionId: SessionId; readonly revision: Revision } | null;
    };

export type Provenance = {
  readonly session: SessionId;
  readonly message: MessageId;
  /** Of the session, that this holds for. */
  readonly revision: Revision;
  /** Where this engine wrote it, in the user's place: to what end. */
  readonly synthetic?: NonNullable<Message['synthetic']>;
} & MessagePlace;
