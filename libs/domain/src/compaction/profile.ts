/** What a stage does; the profile says which ones run, and in which order. */
export type StageName =
  /** Durable, before a request: tool results over a size are stored aside. */
  | 'offload-results'
  /** While a request is composed: old steps without a word of the user are left out of it. */
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
  /** `authorized` compacts only on the user's word; `automatic` when a threshold is crossed. */
  readonly mode: 'automatic' | 'authorized';
  /** Shares of the window at which the states begin. */
  readonly warnAt: number;
  readonly requireAt: number;
  readonly blockAt: number;
  /** When the trigger is looked at: before every request, or only when no step, or no turn, is going on. */
  readonly checkedAt: 'request' | 'step' | 'turn';
  /** What pulls it: a share of the window is reached, or the window less a reserve or the usable budget is exceeded. */
  readonly triggerBy: 'share' | 'reserve' | 'usable-budget';
  readonly triggerAt: number;
  readonly triggerReserve: number;
  /** What becomes of a compaction that somebody asks for while a turn is going on. */
  readonly explicitMidTurn: 'run' | 'refuse';
  /** Minutes without an event after which a session counts as idle, 0 for never; and the share of the window from which that matters. */
  readonly idleAfterMinutes: number;
  readonly idleAt: number;
  /** What becomes of an unknown window: this many tokens are believed in, said aloud; or no session at all. */
  readonly unknownWindow: number | 'refuse';
  /** Who counts a request whose size is in doubt: this engine alone, or the provider, where it can be asked. */
  readonly tokenCounting: 'estimate' | 'provider';
  /** Whether the caller has the provider's own context management switched on beside this engine. */
  readonly providerManagement: 'none' | 'configured';
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
  readonly gainShare: number;
  /** Tokens reserved for the answer: at most this many, and at most this share of the window. */
  readonly outputCap: number;
  readonly outputShare: number;
  /** Size of a summary: at most this many tokens, and at most this share of the window. */
  readonly summaryTokensMax: number;
  readonly summaryShare: number;
};

type Stages = {
  readonly stages: readonly StageName[];
  /** Names of tools whose results no stage touches. */
  readonly exemptTools: readonly string[];
  /** `offload-results`: the most tokens of one result, of all results of a message, and of the preview that stays. */
  readonly resultTokensMax: number;
  readonly resultsPerMessageMax: number;
  readonly previewTokens: number;
  /** `snip` and `micro` begin when what is kept has come to this share of the window. */
  readonly viewAt: number;
  /** `snip`: the newest steps that stay; `micro`: the newest results that stay. */
  readonly snipKeepSteps: number;
  readonly microKeepResults: number;
  /** `prune`: tokens of the newest outputs that stay, what must be gained at least, and turns that are not looked at. */
  readonly pruneKeepTokens: number;
  readonly pruneGainMin: number;
  readonly pruneKeepTurns: number;
  /** Whether reasoning beyond the protected turns is taken out, for whole thinking loops. */
  readonly dropBeyondProtected: boolean;
  /** Whether requests carry the tool by which the model reads back what they leave out. */
  readonly recall: boolean;
};

type Summarizing = {
  /** What becomes of tool outputs outside the protected turns. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** What becomes of reasoning outside the protected turns. */
  readonly reasoning: 'summarized' | 'dropped';
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
  readonly unfoundedQuotes: 'flag' | 'reject';
  /** Whether what the summary has lost and the retained messages refer to is appended to it. */
  readonly factList: boolean;
  /** Tokens of the user's messages that stay word for word behind a summary, the newest first; 0 leaves all to the summary. */
  readonly userMessagesTokens: number;
  /** Tries of one compaction before it is given up. */
  readonly attemptsMax: number;
};

type Afterwards = {
  /** Whether the interrupted work of a turn is continued with a message of this engine's. */
  readonly autoContinue: boolean;
  /** Compactions that fail, or come to no progress, in a row before automatic ones stop. */
  readonly breakerAfter: number;
  /** Turns, and minutes, after which one automatic compaction is tried again, whichever passes first; 0 is never. */
  readonly breakerHoldTurns: number;
  readonly breakerHoldMinutes: number;
};
