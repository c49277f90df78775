import type {
  AttemptError,
  CompactionCancelled,
  CompactionDeferred,
  Cost,
  CountTrigger,
  Cut,
  DroppedOutput,
  Fidelity,
  ImportedCompaction,
  KeyKind,
  LostDirective,
  Pivot,
  ProtectionYield,
  ProviderEditSummary,
  QuoteCheck,
  SkipReason,
  StageName,
  SummarizerIdentity,
  Trigger,
  TurnRetention,
  Usage,
} from '@app/domain';
import type { Actor, CompactionId, IsoTime, MessageId, Revision, SessionId, Tokens } from '@app/kernel';
import type { Thresholds } from '../thresholds.js';

/** Revision and time of an event. */
export type Moment = { readonly revision: Revision; readonly at: IsoTime };

/** A deferral of a due compaction. */
export type Wait = Moment & Pick<CompactionDeferred['data'], 'trigger' | 'until' | 'by' | 'reason'>;

/** The cause of a compaction; for one that was never requested, why it was due. */
export type WhyNow = Moment & {
  readonly trigger: Trigger;
  /** The count trigger that caused it: messages, turns, tool calls or minutes; `null` for none. */
  readonly count: CountTrigger | null;
  readonly actor: Actor;
  readonly profile: string;
  readonly mode: 'automatic' | 'authorized' | 'off';
  readonly withInstructions: boolean;
  /** Earlier deferrals with end, actor and reason, oldest first. */
  readonly deferred: readonly Wait[];
  readonly turn: number;
  readonly occupancy: Tokens;
  /** Tokens; 0 is unlimited and triggers nothing. */
  readonly window: Tokens;
  /** Tokens; `null` without a window. */
  readonly thresholds: Thresholds | null;
};

/** The reason of the cut, as the start of the last attempt recorded it. */
export type WhyCut = {
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  readonly splitTurn: boolean;
  /** The first message of the split turn, which is kept verbatim. */
  readonly carried: MessageId | null;
  /** Protected turns, and how many of them are retained whole; `null` if the profile protects tokens. */
  readonly protectedTurns: { readonly wanted: number; readonly kept: number | null } | null;
  /** Protected tokens, and how many are retained after the cut; `null` if the profile protects turns. */
  readonly protectedTokens: { readonly wanted: number; readonly kept: Tokens | null } | null;
  /** Why the protected part is not retained whole; `null` if it is. */
  readonly protection: ProtectionYield | null;
  readonly countedBefore: Tokens;
  readonly target: Tokens;
  readonly targetRaised: { readonly from: Tokens; readonly reason: string } | null;
  readonly countedSummaryLimit: Tokens | null;
};

export type ExplainedAttempt = Moment & {
  readonly attempt: number;
  readonly worker: string;
  readonly summarizer: SummarizerIdentity;
  readonly inputHash: string;
  /** Number of context lines of hooks; the log holds their text. */
  readonly contextLines: number;
  readonly countedBefore: Tokens;
  readonly billedBefore: Tokens;
  readonly target: Tokens;
  readonly coveredMessages: number;
  readonly coveredTokens: Tokens;
  readonly outcome: 'completed' | 'failed' | 'running' | 'given-up';
  readonly error: AttemptError | null;
  readonly usage: Usage | null;
  /** `null` if nothing was billed or no cost was recorded. */
  readonly cost: Cost | null;
  /** Sizes measured by verification, if one was the reason. */
  readonly oversize: { readonly tokens: Tokens; readonly countedLimit: Tokens } | null;
  readonly noGain: {
    readonly countedBefore: Tokens;
    readonly countedAfter: Tokens;
    readonly countedLimit: Tokens;
  } | null;
  /** References of the summary to reasoning: removed marks, and quoted covered blocks. */
  readonly reasoning: { readonly marks: number; readonly blocks: number } | null;
  /** Earliest time of the next attempt. */
  readonly retryAt: IsoTime | null;
};

/** Measurements with which the result was accepted. */
export type Verified = {
  readonly countedBefore: Tokens;
  readonly countedAfter: Tokens;
  /** Maximum allowed by the rules. */
  readonly countedLimit: Tokens;
  readonly billedBefore: Tokens;
  readonly billedAfter: Tokens;
  readonly summaryTokens: Tokens;
  readonly durationMs: number;
  readonly warningCleared: boolean;
  /** Share of covered facts that can still be found; `null` if nothing was covered or measured. */
  readonly fidelity: ExplainedFidelity | null;
  /** Result of checking the user's quotes; `null` without a summary or a check. */
  readonly quotes: QuoteCheck | null;
  /** Tokens of the framed summary before and after truncation; `null` if it was not truncated. */
  readonly truncated: { readonly from: Tokens; readonly to: Tokens } | null;
};
/** The fidelity with message IDs in place of the missing words. */
export type ExplainedFidelity = Pick<Fidelity, 'score' | 'keys'> & {
  readonly directives: Omit<Fidelity['directives'], 'lost'>;
  /** By kind; `null` if not recorded. */
  readonly kinds: NonNullable<Fidelity['kinds']> | null;
  /** Number of missing keys; `null` if not recorded. */
  readonly missingKeys: number | null;
  /** Last messages of the most important missing keys. */
  readonly missing: readonly MessageId[];
};

/** Lost names, which are text of the session, most important first; `unlisted` counts the others. */
export type Lost = {
  readonly names: readonly {
    readonly name: string;
    readonly kind: KeyKind;
    /** The last covered message that contained it. */
    readonly messageId: MessageId;
  }[];
  readonly directives: readonly LostDirective[];
  readonly unlisted: number;
};

/** Messages that the summary covers; `previous` names an earlier summary. */
export type Covered = {
  readonly messages: number;
  readonly tokens: Tokens;
  readonly from: MessageId;
  readonly to: MessageId;
  /** Oldest first; `null` if this version computes another range than the recorded one. */
  readonly ids: readonly MessageId[] | null;
};

export type Standing =
  | { readonly is: 'in-force' }
  | { readonly is: 'superseded'; readonly by: CompactionId; readonly kind: Pivot['kind'] }
  | ({ readonly is: 'reverted'; readonly reason: string; readonly restored: CompactionId | null } & Moment);

export type ExplainedOutcome =
  /** `deferred` is not requested yet, `waiting` is not started by a worker. */
  | { readonly status: 'deferred' | 'waiting' | 'running' }
  | ({ readonly status: 'completed'; readonly standing: Standing } & Moment)
  | ({ readonly status: 'failed'; readonly attempts: number; readonly error: AttemptError } & Moment)
  | ({ readonly status: 'cancelled' } & Pick<CompactionCancelled['data'], 'by' | 'reason'> & Moment)
  | ({ readonly status: 'skipped'; readonly reason: SkipReason } & Moment);

type Named = { readonly session: SessionId; readonly compactionId: CompactionId };

export type CompactionExplanation = Named & {
  readonly kind: 'compaction';
  readonly outcome: ExplainedOutcome;
  readonly why: WhyNow;
  readonly plan: WhyCut | null;
  /** Facts of the transcript, if the agent of an imported session made it; `null` otherwise. */
  readonly imported: (ImportedCompaction & { readonly by: SummarizerIdentity }) | null;
  readonly turns: readonly TurnRetention[];
  readonly attempts: readonly ExplainedAttempt[];
  /** Results that arrived after that of another worker: billed, but not applied. */
  readonly lateResults: readonly {
    readonly attempt: number;
    readonly worker: string;
    readonly usage: Usage | null;
    readonly cost: Cost | null;
  }[];
  /** The provider's context edits in the turn in which the compaction came into force, with separate cost. */
  readonly besideProvider: readonly (Moment &
    ProviderEditSummary & { readonly usage: Usage | null; readonly cost: Cost | null })[];
  readonly verified: Verified | null;
  /** `null` if nothing was covered or measured. */
  readonly lost: Lost | null;
  readonly covered: Covered | null;
  /** The earlier compaction whose summary was merged or kept. */
  readonly previous: CompactionId | null;
  readonly droppedOutputs: readonly DroppedOutput[];
};
export type ResetExplanation = Named &
  Moment & {
    readonly kind: 'reset';
    readonly standing: Standing;
    readonly actor: Actor;
    readonly reason: string;
    readonly turn: number;
    readonly countedBefore: Tokens;
    readonly countedAfter: Tokens;
    readonly billedBefore: Tokens;
    readonly billedAfter: Tokens;
    readonly cleared: { readonly messages: number; readonly ids: readonly MessageId[] };
    readonly carried: MessageId | null;
  };
export type ForkExplanation = Named &
  Moment & {
    readonly kind: 'fork';
    readonly standing: Standing;
    readonly from: { readonly sessionId: SessionId; readonly revision: Revision };
    readonly summaryTokens: Tokens;
  };
export type Explanation = CompactionExplanation | ResetExplanation | ForkExplanation;
