import type { Usage } from '../messages/message.js';
import type { Cost } from './models.js';
import type { HoldUntil } from './sessions.js';
import type {
  AttemptError,
  Cut,
  DroppedOutput,
  ExplainedFidelity,
  ProtectionYield,
  SkipReason,
  StageName,
  Trigger,
  TurnRetention,
} from './shared.js';

export type CompactionExplanation = {
  readonly session: string;
  readonly compactionId: string;
  readonly kind: 'compaction';
  readonly outcome: ExplainedOutcome;
  readonly why: WhyNow;
  readonly plan: null | WhyCut;
  /** Where the agent of an imported session made it: what its transcript tells; `null` where the engine did. */
  readonly imported: null | Imported;
  readonly turns: readonly TurnRetention[];
  readonly attempts: readonly ExplainedAttempt[];
  /** Results that came after another worker's: paid for, and not applied. */
  readonly lateResults: readonly {
    readonly attempt: number;
    readonly worker: string;
    readonly usage: null | Usage;
    readonly cost: null | Cost;
  }[];
  /** What the provider's own context management did in the turn in which it came into force; its cost is apart. */
  readonly besideProvider: readonly {
    readonly revision: number;
    readonly at: string;
    readonly compacted: boolean;
    readonly clearedToolUses: number;
    readonly clearedThinkingTurns: number;
    readonly clearedInputTokens: number;
    readonly usage: null | Usage;
    readonly cost: null | Cost;
  }[];
  readonly verified: null | Verified;
  /** What was lost by name; `null` where nothing was measured, absent for a key without `content:read`. */
  readonly lost: null | Lost;
  readonly covered: null | Covered;
  /** The compaction whose summary was folded into this one, or carried on. */
  readonly previous: null | string;
  readonly droppedOutputs: readonly DroppedOutput[];
};
export type Imported = {
  /** The format of the transcript, which names the agent. */
  readonly format: string;
  readonly trigger?: 'automatic' | 'manual';
  /** When, by the agent's clock. */
  readonly at?: string;
  /** As the agent counted them. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly by: {
    readonly name: string;
    readonly model?: string;
    readonly promptVersion: string;
    readonly deterministic: boolean;
  };
};
export type ExplainedOutcome =
  | { readonly status: 'deferred' | 'waiting' | 'running' }
  | {
      readonly status: 'completed';
      readonly standing: Standing;
      readonly revision: number;
      readonly at: string;
    }
  | {
      readonly status: 'failed';
      readonly attempts: number;
      readonly error: AttemptError;
      readonly revision: number;
      readonly at: string;
    }
  | {
      readonly status: 'cancelled';
      readonly by: 'reset' | 'revert' | 'close' | 'caller' | 'hook';
      readonly reason: string;
      readonly revision: number;
      readonly at: string;
    }
  | {
      readonly status: 'skipped';
      readonly reason: SkipReason;
      readonly revision: number;
      readonly at: string;
    };
export type Standing =
  | { readonly is: 'in-force' }
  | { readonly is: 'superseded'; readonly by: string; readonly kind: 'reset' | 'compaction' | 'fork' }
  | {
      readonly is: 'reverted';
      readonly reason: string;
      readonly restored: null | string;
      readonly revision: number;
      readonly at: string;
    };
/** How a compaction had to wait: until when, on whose word and why. */
export type Wait = {
  readonly revision: number;
  readonly at: string;
  readonly trigger: Trigger;
  readonly reason: string;
  readonly by: string;
  readonly until: HoldUntil;
};
/** Why there was a compaction, and why then. */
export type WhyNow = {
  readonly revision: number;
  readonly at: string;
  readonly trigger: Trigger;
  /** The trigger beside tokens that asked for it; `null` where none did. */
  readonly count: {
    readonly by: 'messages' | 'turns' | 'tool-calls' | 'minutes';
    readonly reached: number;
    readonly at: number;
  } | null;
  readonly actor: string;
  readonly profile: string;
  readonly mode: 'automatic' | 'authorized' | 'off';
  readonly withInstructions: boolean;
  readonly turn: number;
  readonly occupancy: number;
  /** 0 is unlimited: then nothing triggers by itself. */
  readonly window: number;
  /** In tokens; `null` without a window. */
  /** How it had to wait before, oldest first; empty where it had not. */
  readonly deferred: readonly Wait[];
  readonly thresholds: null | {
    readonly warning: number;
    readonly trigger: number;
    readonly critical: number;
    readonly blocking: number;
  };
};
/** Why the context was cut there: by the last attempt, as its start recorded it. */
export type WhyCut = {
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  readonly splitTurn: boolean;
  /** The message that began the split turn, and stays word for word. */
  readonly carried: null | string;
  /** The newest turns that the profile protects, and how many of them stay whole; `null` where it protects tokens. */
  readonly protectedTurns: null | { readonly wanted: number; readonly kept: null | number };
  /** The newest tokens that it protects, and how many stay from the cut on; `null` where it protects turns. */
  readonly protectedTokens: null | { readonly wanted: number; readonly kept: null | number };
  /** Why what the profile protects does not stay whole; `null` where it does. */
  readonly protection: null | ProtectionYield;
  readonly countedBefore: number;
  readonly target: number;
  readonly targetRaised: null | { readonly from: number; readonly reason: string };
  readonly countedSummaryLimit: null | number;
};
/** What was lost by name: text of the session. The weightiest first; `unlisted` counts names that are not listed. */
export type Lost = {
  readonly names: readonly {
    readonly name: string;
    readonly kind: 'identifiers' | 'paths' | 'errors' | 'numbers';
    /** The last covered message that had it. */
    readonly messageId: string;
  }[];
  readonly directives: readonly { readonly messageId: string; readonly sentence: string }[];
  readonly unlisted: number;
};
export type ExplainedAttempt = {
  /** Lines that hooks have given the summarizer besides; the log holds their words. */
  readonly contextLines: number;
  readonly revision: number;
  readonly at: string;
  readonly attempt: number;
  readonly worker: string;
  readonly summarizer: SummarizerIdentity;
  readonly inputHash: string;
  readonly countedBefore: number;
  readonly billedBefore: number;
  readonly target: number;
  readonly coveredMessages: number;
  readonly coveredTokens: number;
  readonly outcome: 'completed' | 'failed' | 'running' | 'given-up';
  readonly error: null | AttemptError;
  readonly usage: null | Usage;
  /** `null` where nothing was billed, or nobody computed it then. */
  readonly cost: null | Cost;
  /** What verify measured where a size was the reason. */
  readonly oversize: null | { readonly tokens: number; readonly countedLimit: number };
  readonly noGain: null | {
    readonly countedBefore: number;
    readonly countedAfter: number;
    readonly countedLimit: number;
  };
  /** Where the summary referred to reasoning: marks that were taken out, and covered blocks that it quotes. */
  readonly reasoning: null | { readonly marks: number; readonly blocks: number };
  /** When the next attempt was to begin at the earliest. */
  readonly retryAt: null | string;
};
/** What a summarizer's output depends on, named so that an auditor can tell two runs apart. */
export type SummarizerIdentity = {
  readonly name: string;
  readonly model?: string;
  readonly promptVersion: string;
  /** Whether the same input always gives the same output. */
  readonly deterministic: boolean;
};
/** The numbers that the result was accepted with. */
export type Verified = {
  readonly countedBefore: number;
  readonly countedAfter: number;
  /** The most that the rules allowed. */
  readonly countedLimit: number;
  readonly billedBefore: number;
  readonly billedAfter: number;
  readonly summaryTokens: number;
  readonly durationMs: number;
  readonly warningCleared: boolean;
  /** How much of what was covered can still be found; `null` where nothing was, or where it was not measured yet. */
  readonly fidelity: null | ExplainedFidelity;
  /** What came of the quotes of the user; `null` where there is no summary, or nobody had checked them yet. */
  readonly quotes: null | QuoteCheck;
  /** Tokens of the framed summary before and after it was cut, where it was too long to the last. */
  readonly truncated: null | { readonly from: number; readonly to: number };
};
/** What came of the quotes of a summary. An unfounded one is named by its message, or by `null` without one. */
export type QuoteCheck = { readonly checked: number; readonly unfounded: readonly (null | string)[] };
/** The messages that the summary stands for; earlier summaries are named by `previous`. */
export type Covered = {
  readonly messages: number;
  readonly tokens: number;
  readonly from: string;
  readonly to: string;
  /** Oldest first; `null` where this edition of the engine makes out another range than the recorded one. */
  readonly ids: null | readonly string[];
};
export type ResetExplanation = {
  readonly session: string;
  readonly compactionId: string;
  readonly revision: number;
  readonly at: string;
  readonly kind: 'reset';
  readonly standing: Standing;
  readonly actor: string;
  readonly reason: string;
  readonly turn: number;
  readonly countedBefore: number;
  readonly countedAfter: number;
  readonly billedBefore: number;
  readonly billedAfter: number;
  readonly cleared: { readonly messages: number; readonly ids: readonly string[] };
  readonly carried: null | string;
};
export type ForkExplanation = {
  readonly session: string;
  readonly compactionId: string;
  readonly revision: number;
  readonly at: string;
  readonly kind: 'fork';
  readonly standing: Standing;
  readonly from: { readonly sessionId: string; readonly revision: number };
  readonly summaryTokens: number;
};
export type Explanation = CompactionExplanation | ResetExplanation | ForkExplanation;
