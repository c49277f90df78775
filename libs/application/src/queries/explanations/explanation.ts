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

/** Where in the log it stands, and when it was recorded. */
export type Moment = { readonly revision: Revision; readonly at: IsoTime };

/** A wait of a compaction that was due, as it was recorded when it began. */
export type Wait = Moment & Pick<CompactionDeferred['data'], 'trigger' | 'until' | 'by' | 'reason'>;

/** Why there was a compaction, and why then; of one that was never asked for, why it was due. */
export type WhyNow = Moment & {
  readonly trigger: Trigger;
  /** The trigger beside tokens that asked for it: messages, turns, tool calls or minutes; `null` where none did. */
  readonly count: CountTrigger | null;
  readonly actor: Actor;
  readonly profile: string;
  readonly mode: 'automatic' | 'authorized' | 'off';
  readonly withInstructions: boolean;
  /** How it had to wait before, oldest first: until when, on whose word and why; empty where it had not. */
  readonly deferred: readonly Wait[];
  readonly turn: number;
  readonly occupancy: Tokens;
  /** 0 is unlimited: then nothing triggers by itself. */
  readonly window: Tokens;
  /** In tokens; `null` without a window. */
  readonly thresholds: {
    readonly warning: Tokens;
    readonly trigger: Tokens;
    readonly critical: Tokens;
    readonly blocking: Tokens;
  } | null;
};

/** Why the context was cut there: by the last attempt, as its start recorded it. */
export type WhyCut = {
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  readonly splitTurn: boolean;
  /** The message that began the split turn, and stays word for word. */
  readonly carried: MessageId | null;
  /** The newest turns that the profile protects, and how many of them stay whole; `null` where it protects tokens. */
  readonly protectedTurns: { readonly wanted: number; readonly kept: number | null } | null;
  /** The newest tokens that it protects, and how many stay from the cut on; `null` where it protects turns. */
  readonly protectedTokens: { readonly wanted: number; readonly kept: Tokens | null } | null;
  /** Why what the profile protects does not stay whole; `null` where it does. */
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
  /** Lines that hooks have given the summarizer besides; the log holds their words. */
  readonly contextLines: number;
  readonly countedBefore: Tokens;
  readonly billedBefore: Tokens;
  readonly target: Tokens;
  readonly coveredMessages: number;
  readonly coveredTokens: Tokens;
  readonly outcome: 'completed' | 'failed' | 'running' | 'given-up';
  readonly error: AttemptError | null;
  readonly usage: Usage | null;
  /** `null` where nothing was billed, or nobody computed it then. */
  readonly cost: Cost | null;
  /** What verify measured where a size was the reason. */
  readonly oversize: { readonly tokens: Tokens; readonly countedLimit: Tokens } | null;
  readonly noGain: {
    readonly countedBefore: Tokens;
    readonly countedAfter: Tokens;
    readonly countedLimit: Tokens;
  } | null;
  /** Where the summary referred to reasoning: marks that were taken out, and covered blocks that it quotes. */
  readonly reasoning: { readonly marks: number; readonly blocks: number } | null;
  /** When the next attempt was to begin at the earliest. */
  readonly retryAt: IsoTime | null;
};

/** The numbers that the result was accepted with. */
export type Verified = {
  readonly countedBefore: Tokens;
  readonly countedAfter: Tokens;
  /** The most that the rules allowed. */
  readonly countedLimit: Tokens;
  readonly billedBefore: Tokens;
  readonly billedAfter: Tokens;
  readonly summaryTokens: Tokens;
  readonly durationMs: number;
  readonly warningCleared: boolean;
  /** How much of what was covered can still be found; `null` where nothing was, or where it was not measured yet. */
  readonly fidelity: ExplainedFidelity | null;
  /** What came of the quotes of the user; `null` where there is no summary, or nobody had checked them yet. */
  readonly quotes: QuoteCheck | null;
  /** Tokens of the framed summary before and after it was cut, where it was too long to the last. */
  readonly truncated: { readonly from: Tokens; readonly to: Tokens } | null;
};
/** The measure without the words that are missing: only where they stood. */
export type ExplainedFidelity = Pick<Fidelity, 'score' | 'keys'> & {
  readonly directives: Omit<Fidelity['directives'], 'lost'>;
  /** By what they name; `null` where it was not counted yet. */
  readonly kinds: NonNullable<Fidelity['kinds']> | null;
  /** How many keys are missing in all; `null` where it was not counted yet. */
  readonly missingKeys: number | null;
  /** Where the weightiest of them stood last. */
  readonly missing: readonly MessageId[];
};

/** What was lost by name: text of the session. The weightiest first; `unlisted` counts names that are not listed. */
export type Lost = {
  readonly names: readonly {
    readonly name: string;
    readonly kind: KeyKind;
    /** The last covered message that had it. */
    readonly messageId: MessageId;
  }[];
  readonly directives: readonly LostDirective[];
  readonly unlisted: number;
};

/** The messages that the summary stands for; earlier summaries are named by `previous`. */
export type Covered = {
  readonly messages: number;
  readonly tokens: Tokens;
  readonly from: MessageId;
  readonly to: MessageId;
  /** Oldest first; `null` where this edition of the engine makes out another range than the recorded one. */
  readonly ids: readonly MessageId[] | null;
};

export type Standing =
  | { readonly is: 'in-force' }
  | { readonly is: 'superseded'; readonly by: CompactionId; readonly kind: Pivot['kind'] }
  | ({ readonly is: 'reverted'; readonly reason: string; readonly restored: CompactionId | null } & Moment);

export type ExplainedOutcome =
  /** `deferred` waits to be asked for, `waiting` for a worker. */
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
  /** Where the agent of an imported session made it: what its transcript tells; `null` where this engine did. */
  readonly imported: (ImportedCompaction & { readonly by: SummarizerIdentity }) | null;
  readonly turns: readonly TurnRetention[];
  readonly attempts: readonly ExplainedAttempt[];
  /** Results that came after another worker's: paid for, and not applied. */
  readonly lateResults: readonly {
    readonly attempt: number;
    readonly worker: string;
    readonly usage: Usage | null;
    readonly cost: Cost | null;
  }[];
  /** What the provider's own context management did in the turn in which it came into force; its cost is apart. */
  readonly besideProvider: readonly (Moment &
    ProviderEditSummary & { readonly usage: Usage | null; readonly cost: Cost | null })[];
  readonly verified: Verified | null;
  /** `null` where nothing was covered, or nothing was measured. */
  readonly lost: Lost | null;
  readonly covered: Covered | null;
  /** The compaction whose summary was folded into this one, or carried on. */
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
