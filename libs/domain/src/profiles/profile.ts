/** What a stage does; the profile says which ones run, and in which order. */
export type StageName =
  /** Durable, before a request: tool results over a size are stored aside. */
  | 'offload-results'
  /** While a request is composed: old steps, and old turns without tools, are left out of it. */
  | 'snip'
  /** While a request is composed: old tool results are left out of it. */
  | 'micro'
  /** Durable, at the end of a turn and before a compaction: old tool outputs are marked as gone. */
  | 'prune'
  /** Part of a compaction, instead of a summary where it is enough. */
  | 'drop-tool-outputs'
  | 'summarize'
  /** Durable, before a request that is too large all the same: old turns become a line each. */
  | 'collapse';

/**
 * A named, complete policy. It is data: no profile has code of its own, and a session records every field of
 * the one that it was opened with, so that a later edition of the profile changes no past.
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

/** When a compaction is asked for. */
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
  /** When the trigger is looked at: before every request, or only when no step, or no turn, is going on. */
  readonly triggerCheck: 'request' | 'step' | 'turn';
  /** What pulls it: a share of the window is reached, or the window less a reserve or the usable budget is exceeded. */
  readonly triggerBy: 'share' | 'reserve' | 'usable-budget';
  readonly triggerAtShare: number;
  readonly triggerReserveTokens: number;
  /** What becomes of a compaction that somebody asks for while a turn is going on. */
  readonly explicitMidTurn: 'run' | 'refuse';
  /** Minutes without an event after which a session counts as idle, 0 for never; and the share of the window from which that matters. */
  readonly idleAfterMinutes: number;
  readonly idleAtShare: number;
  /** What becomes of an unknown window: this many tokens are believed in, said aloud; or no session at all. */
  readonly unknownWindow: number | 'refuse';
  /** Who counts a request whose size is in doubt: this engine alone, or the provider, where it can be asked. */
  readonly tokenCounting: 'estimate' | 'provider';
  /** Whether the caller has the provider's own context management switched on beside this engine. */
  readonly providerContextManagement: 'none' | 'configured';
  /** Further triggers beside tokens: messages, turns, tool calls and minutes since the last compaction; 0 for none. */
  readonly triggerMessages: number;
  readonly triggerTurns: number;
  readonly triggerToolCalls: number;
  readonly triggerMinutes: number;
  /** Other values of some fields for some models; the first that names the session's model counts. */
  readonly perModel: readonly ModelOverrides[];
};

/** Fields of a profile that a model can have values of its own for. */
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
/** What holds for models of a name, in which `*` stands for any characters. */
export type ModelOverrides = { readonly model: string } & {
  readonly [Field in (typeof PER_MODEL_FIELDS)[number]]?: Profile[Field];
};

/** What stays. */
type Keeping = {
  readonly keepBy: 'turns' | 'tokens';
  /** The newest turns that stay word for word. */
  readonly keepRecentTurns: number;
  /** The newest tokens that stay; 0 keeps the newest atomic group alone. */
  readonly keepRecentTokens: number;
  /** `yields`: where the protected turns alone exceed the target they shrink; `strict`: the compaction is refused. */
  readonly protection: 'yields' | 'strict';
};

type Sizes = {
  /** A compaction aims at this share of its trigger … */
  readonly targetShare: number;
  /** … and must leave at most this share of what there was before. */
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
  /** `snip` and `micro` begin when what is kept has come to this share of the window. */
  readonly viewAtShare: number;
  /** `snip`: the newest steps that stay, in whatever turn; `micro`: the newest results that stay. */
  readonly snipKeepSteps: number;
  readonly microKeepResults: number;
  /** `prune`: tokens of the newest outputs that stay, what must be gained at least, and turns that are not looked at. */
  readonly pruneKeepTokens: number;
  readonly pruneMinGainTokens: number;
  readonly pruneKeepTurns: number;
  /** Names of tools, without regard to case, whose results `offload-results` alone leaves alone … */
  readonly offloadExemptTools: readonly string[];
  /** … unless the result, or those of its message together, come to this share of the window. */
  readonly offloadExemptMaxShare: number;
  /** Share of the window that the newest messages take and that `snip` and `micro` leave alone. */
  readonly viewKeepShare: number;
  /** `snip`: the newest turns that stay although no tool was called in them. */
  readonly snipKeepTurns: number;
  /** Whether requests carry the tool by which the model reads back what they leave out. */
  readonly recall: boolean;
};

/**
 * What becomes of reasoning. `summarize`: requests carry it until its turn is compacted, and the summarizer reads it.
 * `drop-when-compacted`: requests carry it until its turn is compacted, and no summarizer reads it.
 * `drop-beyond-protected`: it leaves requests as soon as a compaction is due and its turn is not protected, and no
 * summarizer reads it.
 */
type ReasoningPolicy = 'summarize' | 'drop-when-compacted' | 'drop-beyond-protected';

type Summarizing = {
  /** What becomes of tool outputs outside the protected turns. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** What becomes of reasoning outside the protected turns. */
  readonly reasoning: ReasoningPolicy;
  /**
   * What writes the summary: `extractive`, which calls no model; `default`, which is what the tenant or the process has
   * configured; or one of the tenant's summarizers by its name.
   */
  readonly summarizer: string;
  /**
   * What a model is shown: a transcript of what is to be summarized, or the session's own request with the task behind
   * it, so that the provider's prompt cache serves it, where the session's own model summarizes.
   */
  readonly summaryInput: 'transcript' | 'prefix';
  /** Whether what a model has written is completed with facts that are taken from the log without one. */
  readonly hybrid: boolean;
  /** Whether the provider is asked for a compaction of its own as well, to be recorded beside the summary. */
  readonly nativeCompaction: boolean;
  /** What becomes of a summary with a quote of the user that is not in the log. */
  readonly unverifiedQuotes: 'flag' | 'reject';
  /** Whether what the summary has lost and the retained messages refer to is appended to it. */
  readonly factList: boolean;
  /** Tokens of the user's messages that stay word for word behind a summary, the newest first; 0 leaves all to the summary. */
  readonly keepUserMessageTokens: number;
  /** Tries of one compaction before it is given up. */
  readonly maxAttempts: number;
  /** What summarizing models are told: `default` for the prompts that ship, or a prompt of the tenant's, as `NAME` or `NAME@VERSION`. */
  readonly prompt: string;
  /** What of the covered messages is given again behind a summary, and the counted tokens of it at most; 0 for nothing. */
  readonly reinject: readonly Reinjectable[];
  /** Paths of files that are given again, with `*` for any characters. */
  readonly reinjectFiles: readonly string[];
  readonly maxReinjectTokens: number;
};

/** What a compaction can give again: files as tools last read or wrote them, skills as they were loaded, the newest plan. */
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
  /** What becomes of a request that nothing else makes fit. */
  readonly ladder: LadderPolicy;
};

/**
 * What becomes of a request that does not fit and that no compaction makes fit: `off` is the error; `on` leaves out tool
 * outputs, then old messages, then parts of the newest results; `truncate` shortens other messages as well, the user's too.
 */
export type LadderPolicy = (typeof LADDER_POLICIES)[number];
export const LADDER_POLICIES = ['off', 'on', 'truncate'] as const;
