/** Names of stages; the profile lists the active ones in order. */
export type StageName =
  /** Durable, before a request: tool results over a size are stored aside. */
  | 'offload-results'
  /** While a request is composed: old steps, and old turns without tools, are left out of it. */
  | 'snip'
  /** While a request is composed: old tool results are left out of it. */
  | 'micro'
  /** Durable, at the end of a turn and before a compaction: old tool outputs are marked as gone. */
  | 'prune'
  /** Part of a compaction, instead of a summary if it suffices. */
  | 'drop-tool-outputs'
  | 'summarize'
  /** Durable, before a request that is too large all the same: old turns become a line each. */
  | 'collapse';

/**
 * A named, complete policy. Profiles are data without code, and a session records every field of its own, so that
 * later editions of a profile do not change past sessions.
 */
export type Profile = {
  readonly name: string;
  readonly description: string;
} & Starting &
  Keeping &
  Sizes &
  Stages &
  Summarizing &
  Afterwards;

/** Conditions that request a compaction. */
type Starting = {
  /**
   * `automatic` compacts when a threshold is crossed; `authorized` only on the user's word; `off` never: compactions are
   * refused, no stage runs, and a request that does not fit is the caller's to deal with.
   */
  readonly mode: 'automatic' | 'authorized' | 'off';
  /** Shares of the window at which the states begin. */
  readonly warnAtShare: number;
  readonly requireAtShare: number;
  readonly blockAtShare: number;
  /** Times at which the trigger is checked: before every request, between steps, or between turns. */
  readonly triggerCheck: 'request' | 'step' | 'turn';
  /** The trigger: a share of the window, the window less a reserve, or the usable budget. */
  readonly triggerBy: 'share' | 'reserve' | 'usable-budget';
  readonly triggerAtShare: number;
  readonly triggerReserveTokens: number;
  /** The reaction to a manual compaction during a turn. */
  readonly explicitMidTurn: 'run' | 'refuse';
  /** Minutes without an event after which a session counts as idle, 0 for never; and the share of the window from which that matters. */
  readonly idleAfterMinutes: number;
  readonly idleAtShare: number;
  /** The reaction to an unknown window: assume this many tokens with a warning, or refuse the session. */
  readonly unknownWindow: number | 'refuse';
  /** The counter of a request of doubtful size: this engine alone, or the provider if possible. */
  readonly tokenCounting: 'estimate' | 'provider';
  /** Whether the caller has the provider's own context management switched on beside this engine. */
  readonly providerContextManagement: 'none' | 'configured';
  /** Further triggers: messages, turns, tool calls and minutes since the last compaction; 0 disables. */
  readonly triggerMessages: number;
  readonly triggerTurns: number;
  readonly triggerToolCalls: number;
  readonly triggerMinutes: number;
  /** Other values of some fields for some models; the first that names the session's model counts. */
  readonly perModel: readonly ModelOverrides[];
};

/** Profile fields with overrides per model. */
export const PER_MODEL_FIELDS = [
  'warnAtShare',
  'requireAtShare',
  'blockAtShare',
  'triggerBy',
  'triggerAtShare',
  'triggerReserveTokens',
  'triggerMessages',
  'triggerTurns',
  'triggerToolCalls',
  'triggerMinutes',
  'idleAtShare',
  'keepRecentTurns',
  'keepRecentTokens',
  'targetShare',
  'maxOutputTokens',
  'maxOutputShare',
  'maxSummaryTokens',
  'maxSummaryShare',
] as const;
/** Overrides for models by name pattern, in which `*` matches any characters. */
export type ModelOverrides = { readonly model: string } & {
  readonly [Field in (typeof PER_MODEL_FIELDS)[number]]?: Profile[Field];
};

/** Protection of recent content. */
type Keeping = {
  readonly keepBy: 'turns' | 'tokens';
  /** The newest turns that stay word for word. */
  readonly keepRecentTurns: number;
  /** The newest tokens that stay; 0 keeps the newest atomic group alone. */
  readonly keepRecentTokens: number;
  /** `yields`: protected turns shrink if they alone exceed the target; `strict`: the compaction is refused. */
  readonly protection: 'yields' | 'strict';
};

type Sizes = {
  /** A compaction aims at this share of its trigger … */
  readonly targetShare: number;
  /** … and must leave at most this share of the previous size. */
  readonly maxRemainingShare: number;
  /** Tokens reserved for the answer: at most this many, and at most this share of the window. */
  readonly maxOutputTokens: number;
  readonly maxOutputShare: number;
  /** Size of a summary: at most this many tokens, and at most this share of the window. */
  readonly maxSummaryTokens: number;
  readonly maxSummaryShare: number;
  /** The shortest answer that a request is left with: at most this many tokens, and at most this share of the window. */
  readonly minOutputTokens: number;
  readonly minOutputShare: number;
};

type Stages = {
  readonly stages: readonly StageName[];
  /** Names of tools, without regard to case, whose results stay in requests until a summary covers them. */
  readonly exemptTools: readonly string[];
  /** `offload-results`: the most tokens of one result, of all results of a message, and of the preview that stays. */
  readonly maxResultTokens: number;
  readonly maxResultTokensPerMessage: number;
  readonly previewTokens: number;
  /** `snip` and `micro` start at this share of the window. */
  readonly viewAtShare: number;
  /** `snip`: newest steps that stay, in any turn; `micro`: newest results that stay. */
  readonly snipKeepSteps: number;
  readonly microKeepResults: number;
  /** `prune`: tokens of the newest outputs that stay, minimum gain, and newest turns that are skipped. */
  readonly pruneKeepTokens: number;
  readonly pruneMinGainTokens: number;
  readonly pruneKeepTurns: number;
  /** Names of tools, without regard to case, whose results `offload-results` alone leaves alone … */
  readonly offloadExemptTools: readonly string[];
  /** … unless the result, or all results of its message, reach this share of the window. */
  readonly offloadExemptMaxShare: number;
  /** Share of the window that the newest messages take and that `snip` and `micro` leave alone. */
  readonly viewKeepShare: number;
  /** `snip`: the newest turns that stay although no tool was called in them. */
  readonly snipKeepTurns: number;
  /** Whether requests declare the tool by which the model reads omitted content. */
  readonly recall: boolean;
};

/**
 * Handling of reasoning. `summarize`: requests carry it until its turn is compacted, and the summarizer reads it.
 * `drop-when-compacted`: requests carry it until its turn is compacted, and no summarizer reads it.
 * `drop-beyond-protected`: requests omit it as soon as a compaction is due and its turn is not protected, and no
 * summarizer reads it.
 */
type ReasoningPolicy = 'summarize' | 'drop-when-compacted' | 'drop-beyond-protected';

type Summarizing = {
  /** Handling of tool outputs outside the protected turns. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** Handling of reasoning outside the protected turns. */
  readonly reasoning: ReasoningPolicy;
  /**
   * The summarizer: `extractive`, which calls no model; `default`, the one configured by tenant or process; or the
   * name of a tenant's summarizer.
   */
  readonly summarizer: string;
  /**
   * The input of a summarizing model: a transcript of the covered messages, or, if the session's own model
   * summarizes, the session's request followed by the task, which reuses the provider's prompt cache.
   */
  readonly summaryInput: 'transcript' | 'prefix';
  /** Whether a model's summary is completed by facts extracted from the log without a model. */
  readonly hybrid: boolean;
  /** Whether a compaction by the provider is requested too, and recorded beside the summary. */
  readonly nativeCompaction: boolean;
  /** Handling of a summary with a user quote that is not in the log. */
  readonly unverifiedQuotes: 'flag' | 'reject';
  /** Whether lost facts that retained messages refer to are appended to the summary. */
  readonly factList: boolean;
  /** Tokens of the user's messages that stay word for word behind a summary, the newest first; 0 leaves all to the summary. */
  readonly keepUserMessageTokens: number;
  /** Tries of one compaction before it is given up. */
  readonly maxAttempts: number;
  /**
   * The prompts of summarizing models: `default` for the shipped ones, or a tenant's prompt as `NAME` or
   * `NAME@VERSION`.
   */
  readonly prompt: string;
  /** Covered content that is restored behind a summary, and its maximum in counted tokens; 0 disables. */
  readonly reinject: readonly Reinjectable[];
  /** Paths of files that are given again, with `*` for any characters. */
  readonly reinjectFiles: readonly string[];
  readonly maxReinjectTokens: number;
};

/** Restorable content: files as last read or written by tools, skills as loaded, the newest plan. */
export const REINJECTABLES = ['plan', 'skills', 'files'] as const;
export type Reinjectable = (typeof REINJECTABLES)[number];

type Afterwards = {
  /** Whether the interrupted work of a turn is continued with a message of this engine's. */
  readonly autoContinue: boolean;
  /** Compactions that fail, or come to no progress, in a row before automatic ones stop. */
  readonly breakerFailures: number;
  /** Turns, and minutes, after which one automatic compaction is tried again, whichever passes first; 0 is never. */
  readonly breakerCooldownTurns: number;
  readonly breakerCooldownMinutes: number;
  /** Handling of a request that cannot be made to fit otherwise. */
  readonly ladder: LadderPolicy;
};

/**
 * Handling of a request that does not fit even after a compaction: `off` is an error; `on` omits tool outputs, then
 * old messages, then parts of the newest results; `truncate` also shortens other messages, including the user's.
 */
export type LadderPolicy = (typeof LADDER_POLICIES)[number];
export const LADDER_POLICIES = ['off', 'on', 'truncate'] as const;
