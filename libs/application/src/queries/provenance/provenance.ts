import type { MessageStage, OutputGone, ProvenanceLink, ReasoningPlace } from '@app/contract';
import type { MessageStanding, PinKind } from '@app/domain';
import type { Revision, SessionId, Tokens } from '@app/kernel';

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
