import type { Block, Role } from '../messages/message.js';
import type { DroppedOutput, PinKind } from './shared.js';

/** A tool output that requests show no more, and the compaction that dropped it, where this session's log knows it. */
export type OutputGone = { readonly callId: string; readonly droppedBy: null | string };
/** Its results are stored aside, its reasoning is dropped, or its whole turn is collapsed. */
export type MessageStage = 'offload-results' | 'collapse' | 'drop-reasoning';
/** What a compaction or a reset did with a message, or with the summary that stands for it. `covered`: its summary stands for the message; `folded`: it took the summary before it into its own; `carried-on`: it left that summary as it was; `cleared`: a reset, which leaves no summary. */
export type ProvenanceLink = {
  readonly compactionId: string;
  readonly did: 'covered' | 'cleared' | 'folded' | 'carried-on';
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
      readonly status: 'in-full';
      /** Why no compaction has it. */
      readonly because: 'system' | 'carried' | 'not-compacted' | 'after-the-cut';
      readonly appendedAt: number;
      readonly turn: number;
      readonly tokens: number;
      /** Outputs of its calls, or in it, that are replaced by a line. */
      readonly droppedOutputs: readonly OutputGone[];
      /** What durable stages leave out of it in requests, beside those. */
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
  };
  readonly droppedOutputs: {
    readonly onlyInA: readonly DroppedOutput[];
    readonly onlyInB: readonly DroppedOutput[];
  };
  /** A pin that was replaced stands on both sides. */
  readonly pins: { readonly onlyInA: readonly DiffedPin[]; readonly onlyInB: readonly DiffedPin[] };
};
