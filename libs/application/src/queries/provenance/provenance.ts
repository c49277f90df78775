import type { LadderRung, Message, MessageStanding, PartRule, PinKind, StageName } from '@app/domain';
import type { CompactionId, IsoTime, MessageId, Revision, SessionId, Tokens } from '@app/kernel';

/**
 * What a compaction or a reset did with a message, or with the summary that stands for it. `covered`: its summary
 * stands for the message; `folded`: it took the summary before it into its own; `carried-on`: it left that summary as
 * it was; `cleared`: a reset, which leaves no summary.
 */
export type ProvenanceLink = {
  readonly compactionId: CompactionId;
  readonly action: 'covered' | 'folded' | 'carried-on' | 'cleared';
  readonly revision: Revision;
  readonly at: IsoTime;
  /** The range that it covered itself. */
  readonly covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
  readonly isInForce: boolean;
};

/**
 * A tool output of which requests carry less than what was appended: by which rule, and the compaction that dropped it,
 * where one has and this session's log knows it.
 */
export type OutputGone = {
  readonly callId: string;
  readonly rule: PartRule;
  readonly droppedBy: CompactionId | null;
};

/** What has left out something of a message: a stage of the profile, the policy on reasoning, or a rung of the ladder. */
export type MessageStage =
  | Exclude<StageName, 'summarize'>
  | 'drop-reasoning'
  /** Composing: its provider would refuse the reasoning. */
  | 'compose'
  | LadderRung;

/** What became of the reasoning of a message, and whether the caller has said that it is of no use after its turn. */
export type ReasoningPlace = { readonly rule: PartRule; readonly isDisposable: boolean };

export type MessagePlace =
  /**
   * It is in the context. `in-full`: requests carry all of it; `in-part`: they carry less of its outputs or of its
   * reasoning; `omitted`: they carry nothing of it, or a line in its place.
   */
  | {
      readonly status: 'in-full' | 'in-part' | 'omitted';
      /** Why no compaction has it. */
      readonly reason: 'not-compacted' | 'after-the-cut' | 'carried' | 'system';
      readonly appendedAt: Revision;
      readonly turn: number;
      /** Counted tokens, as it was appended. */
      readonly tokens: Tokens;
      /** `verbatim`, or why requests leave it out: `snipped`, `collapsed`, or `dropped` on the ladder by the newest one. */
      readonly rule: MessageStanding['message'];
      /** Outputs of its calls, or in it, of which requests carry less. */
      readonly outputs: readonly OutputGone[];
      readonly reasoning: ReasoningPlace;
      /** Everything that leaves out something of it. */
      readonly stages: readonly MessageStage[];
    }
  /** `covered`: through a summary; `cleared`: not at all. The chain goes from the oldest to the newest. */
  | {
      readonly status: 'covered' | 'cleared';
      readonly appendedAt: Revision;
      readonly chain: readonly ProvenanceLink[];
      /** Whether the summarizer has read its reasoning. */
      readonly reasoning: ReasoningPlace;
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
