import type { Block, Role } from '../messages/message.js';
import type { LadderRung } from './requests.js';
import type { DroppedOutput, PartRule, PinKind } from './shared.js';

/** A tool output of which requests carry less than what was appended: by which rule, and the compaction that dropped it, where one has and this session's log knows it. */
export type OutputGone = {
  readonly callId: string;
  readonly rule: PartRule;
  readonly droppedBy: null | string;
};
/** What has left out something of a message: a stage of the profile, the policy on reasoning (`drop-reasoning`), composing, because its provider would refuse the reasoning (`compose`), or a rung of the ladder. */
export type MessageStage =
  | 'offload-results'
  | 'snip'
  | 'micro'
  | 'prune'
  | 'drop-tool-outputs'
  | 'collapse'
  | 'drop-reasoning'
  | 'compose'
  | LadderRung;
/** What became of the reasoning of a message, and whether the caller has said that it is of no use after its turn. */
export type ReasoningPlace = { readonly rule: PartRule; readonly isDisposable: boolean };
/** What requests carry of a message: in counted tokens, and by which rules they carry less than what was appended. */
export type CarriedMessage = {
  readonly rule: 'verbatim' | 'snipped' | 'collapsed' | 'dropped';
  /** Of its results, in their order; none where all are verbatim. */
  readonly toolOutputs: readonly PartRule[];
  readonly reasoning: PartRule;
  readonly countedTokens: number;
};
/** A message of both contexts of which requests carry more in one than in the other. */
export type ChangedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly role: Role;
  readonly turn: number;
  readonly a: CarriedMessage;
  readonly b: CarriedMessage;
};
/** What a compaction or a reset did with a message, or with the summary that stands for it. `covered`: its summary stands for the message; `folded`: it took the summary before it into its own; `carried-on`: it left that summary as it was; `cleared`: a reset, which leaves no summary. */
export type ProvenanceLink = {
  readonly compactionId: string;
  readonly action: 'covered' | 'cleared' | 'folded' | 'carried-on';
  readonly revision: number;
  readonly at: string;
  /** The range that it covered itself. */
  readonly covered: null | { readonly from: string; readonly to: string; readonly messages: number };
  readonly isInForce: boolean;
};
export type ContextSide = {
  readonly revision: number;
  readonly tokens: number;
  readonly messages: number;
  /** What the context begins with; `null` where nothing has been compacted. */
  readonly summary: null | DiffedSummary;
};
export type DiffedSummary = {
  readonly compactionId: string;
  readonly kind: 'reset' | 'compaction' | 'fork';
  readonly tokens: number;
  /** Only where it was asked for; `null` where the context begins anew without one. */
  readonly text?: null | string;
};
export type DiffedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly role: Role;
  readonly turn: number;
  readonly tokens: number;
  /** Only where it was asked for. */
  readonly content?: readonly Block[];
};
export type DiffedPin = {
  /** Of the text in the form in which requests carry it. */
  readonly tokens: number;
  readonly kind: PinKind;
  readonly pinId: string;
};
export type Provenance =
  | {
      readonly session: string;
      readonly message: string;
      /** Of the session, that this holds for. */
      readonly revision: number;
      /** Where this engine wrote it, in the user's place: to what end. */
      readonly synthetic?: 'continuation' | 'restated';
      readonly status: 'in-full' | 'in-part' | 'omitted';
      /** Why no compaction has it. */
      readonly reason: 'system' | 'carried' | 'not-compacted' | 'after-the-cut';
      readonly appendedAt: number;
      readonly turn: number;
      /** Counted tokens, as it was appended. */
      readonly tokens: number;
      /** `verbatim`, or why requests leave it out: `snipped`, `collapsed`, or `dropped` on the ladder by the newest one. */
      readonly rule: 'verbatim' | 'snipped' | 'collapsed' | 'dropped';
      /** Outputs of its calls, or in it, of which requests carry less. */
      readonly outputs: readonly OutputGone[];
      readonly reasoning: ReasoningPlace;
      /** Everything that leaves out something of it. */
      readonly stages: readonly MessageStage[];
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Of the session, that this holds for. */
      readonly revision: number;
      /** Where this engine wrote it, in the user's place: to what end. */
      readonly synthetic?: 'continuation' | 'restated';
      readonly status: 'covered' | 'cleared';
      readonly appendedAt: number;
      readonly chain: readonly ProvenanceLink[];
      /** Whether the summarizer has read its reasoning. */
      readonly reasoning: ReasoningPlace;
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Of the session, that this holds for. */
      readonly revision: number;
      /** Where this engine wrote it, in the user's place: to what end. */
      readonly synthetic?: 'continuation' | 'restated';
      readonly status: 'withdrawn';
      readonly appendedAt: number;
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Of the session, that this holds for. */
      readonly revision: number;
      /** Where this engine wrote it, in the user's place: to what end. */
      readonly synthetic?: 'continuation' | 'restated';
      readonly status: 'pinned';
      readonly kind: PinKind;
      readonly tokens: number;
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Of the session, that this holds for. */
      readonly revision: number;
      /** Where this engine wrote it, in the user's place: to what end. */
      readonly synthetic?: 'continuation' | 'restated';
      readonly status: 'unknown';
      /** What the session was forked from: an older message stands in that one's log. */
      readonly forkedFrom: null | { readonly sessionId: string; readonly revision: number };
    };
export type ContextDiff = {
  readonly a: ContextSide;
  readonly b: ContextSide;
  readonly summaryChanged: boolean;
  readonly messages: {
    readonly onlyInA: readonly DiffedMessage[];
    readonly onlyInB: readonly DiffedMessage[];
    readonly changed: readonly ChangedMessage[];
  };
  readonly droppedOutputs: {
    readonly onlyInA: readonly DroppedOutput[];
    readonly onlyInB: readonly DroppedOutput[];
  };
  /** A pin that was replaced stands on both sides. */
  readonly pins: { readonly onlyInA: readonly DiffedPin[]; readonly onlyInB: readonly DiffedPin[] };
};
