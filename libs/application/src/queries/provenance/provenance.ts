import type { LadderRung, Message, MessageStanding, PartRule, PinKind, StageName } from '@app/domain';
import type { CompactionId, IsoTime, MessageId, Revision, SessionId, Tokens } from '@app/kernel';

/**
 * The effect of a compaction or reset on a message, or on its summary. `covered`: its summary covers the message; `folded`: it
 * merged the previous summary into its own; `carried-on`: it kept that summary; `cleared`: a reset, which has no summary.
 */
export type ProvenanceLink = {
  readonly compactionId: CompactionId;
  readonly action: 'covered' | 'folded' | 'carried-on' | 'cleared';
  readonly revision: Revision;
  readonly at: IsoTime;
  /** Range of messages that it covered itself. */
  readonly covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
  readonly isInForce: boolean;
};

/**
 * A tool output that requests contain reduced or not at all: the rule, and the compaction that dropped it, if this session's
 * log has it.
 */
export type OutputGone = {
  readonly callId: string;
  readonly rule: PartRule;
  readonly droppedBy: CompactionId | null;
};

/** What removed a part of a message: a stage of the profile, the reasoning policy, or a ladder rung. */
export type MessageStage =
  | Exclude<StageName, 'summarize'>
  | 'drop-reasoning'
  /** Composing: the provider would reject the reasoning. */
  | 'compose'
  | LadderRung;

/** State of a message's reasoning, and whether the caller has marked it as disposable after its turn. */
export type ReasoningPlace = { readonly rule: PartRule; readonly isDisposable: boolean };

export type MessagePlace =
  /**
   * In the context. `in-full`: requests contain all of it; `in-part`: its outputs or reasoning are reduced; `omitted`: requests
   * contain nothing of it, or a placeholder.
   */
  | {
      readonly status: 'in-full' | 'in-part' | 'omitted';
      /** Why no compaction covers it. */
      readonly reason: 'not-compacted' | 'after-the-cut' | 'carried' | 'system';
      readonly appendedAt: Revision;
      readonly turn: number;
      /** Counted tokens of the original. */
      readonly tokens: Tokens;
      /** `verbatim`, or why requests omit it: `snipped`, `collapsed`, or `dropped` by the newest ladder rung. */
      readonly rule: MessageStanding['message'];
      /** Reduced outputs of its calls, or in it. */
      readonly outputs: readonly OutputGone[];
      readonly reasoning: ReasoningPlace;
      /** Everything that removes a part of it. */
      readonly stages: readonly MessageStage[];
    }
  /** `covered`: a summary covers it; `cleared`: a reset removed it. Links are sorted oldest first. */
  | {
      readonly status: 'covered' | 'cleared';
      readonly appendedAt: Revision;
      readonly chain: readonly ProvenanceLink[];
      /** Whether the summarizer has read its reasoning. */
      readonly reasoning: ReasoningPlace;
    }
  /** A continuation message whose compaction was reverted. */
  | { readonly status: 'withdrawn'; readonly appendedAt: Revision }
  | { readonly status: 'pinned'; readonly kind: PinKind; readonly tokens: Tokens }
  | {
      readonly status: 'unknown';
      /** Source of the fork, whose log may have the message. */
      readonly forkedFrom: { readonly sessionId: SessionId; readonly revision: Revision } | null;
    };

export type Provenance = {
  readonly session: SessionId;
  readonly message: MessageId;
  /** Revision of the session that this describes. */
  readonly revision: Revision;
  /** Purpose of a message that the engine wrote in the user's role. */
  readonly synthetic?: NonNullable<Message['synthetic']>;
} & MessagePlace;
