/** What a provider defines, and the API passes on as it is. */
export type JsonObject = { readonly [name: string]: unknown };
export type BudgetState = 'normal' | 'warning' | 'critical' | 'blocking';
/** What holds for models of a name, in which `*` stands for any characters. */
export type ModelOverrides = { readonly model: string } & Partial<
  Pick<
    Profile,
    | 'warnAtShare'
    | 'requireAtShare'
    | 'blockAtShare'
    | 'triggerBy'
    | 'triggerAtShare'
    | 'triggerReserveTokens'
    | 'triggerMessages'
    | 'triggerTurns'
    | 'triggerToolCalls'
    | 'triggerMinutes'
    | 'idleAtShare'
    | 'keepRecentTurns'
    | 'keepRecentTokens'
    | 'targetShare'
    | 'maxOutputTokens'
    | 'maxOutputShare'
    | 'maxSummaryTokens'
    | 'maxSummaryShare'
  >
>;
/** A named, complete policy. It is data: no profile has code of its own, and a session records every field of the one that it was opened with, so that a later edition of the profile changes no past. */
export type Profile = {
  readonly name: string;
  readonly description: string;
  /** `automatic` compacts when a threshold is crossed; `authorized` only on the user's word; `off` never. */
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
  /** Who counts a request whose size is in doubt. */
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
  /** What summarizing models are told: `default` for the prompts that ship, or a prompt of the tenant's, as `NAME` or `NAME@VERSION`. */
  readonly prompt: string;
  /** What of the covered messages is given again behind a summary, and the counted tokens of it at most; 0 for nothing. */
  readonly reinject: readonly ('files' | 'skills' | 'plan')[];
  /** Paths of files that are given again, with `*` for any characters. */
  readonly reinjectFiles: readonly string[];
  readonly maxReinjectTokens: number;
  readonly keepBy: 'turns' | 'tokens';
  /** The newest turns that stay word for word. */
  readonly keepRecentTurns: number;
  /** The newest tokens that stay; 0 keeps the newest atomic group alone. */
  readonly keepRecentTokens: number;
  /** `yields`: where the protected turns alone exceed the target they shrink; `strict`: the compaction is refused. */
  readonly protection: 'yields' | 'strict';
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
  readonly recall: boolean;
  /** What becomes of tool outputs outside the protected turns. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** What becomes of reasoning outside the protected turns. */
  readonly reasoning: ReasoningPolicy;
  /** `extractive`, which calls no model; `default`, which is what is configured; or a summarizer by its name. */
  readonly summarizer: string;
  /** What a model is shown: a transcript, or the session's own request with the task behind it. */
  readonly summaryInput: 'transcript' | 'prefix';
  /** Whether what a model has written is completed with facts from the log. */
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
  /** Whether the interrupted work of a turn is continued with a message of this engine's. */
  readonly autoContinue: boolean;
  /** Compactions that fail, or come to no progress, in a row before automatic ones stop. */
  readonly breakerFailures: number;
  /** What becomes of a request that nothing else makes fit: the error, the ladder, or the ladder with messages shortened. */
  readonly ladder: 'off' | 'on' | 'truncate';
  /** Turns, and minutes, after which one automatic compaction is tried again, whichever passes first; 0 is never. */
  readonly breakerCooldownTurns: number;
  readonly breakerCooldownMinutes: number;
};
/** How much of what the policy protects stays, where it cannot stay whole. Sizes are counted tokens. */
export type ProtectionYield = {
  readonly by: 'turns' | 'tokens';
  /** Turns, or tokens, that the policy protects, and those that stay whole. */
  readonly wanted: number;
  readonly kept: number;
  /** What the context would take with all of it, and the most that it may take. */
  readonly countedUnreduced: number;
  readonly countedLimit: number;
  readonly reason: string;
};
/** What becomes of reasoning. `summarize`: requests carry it until its turn is compacted, and the summarizer reads it. `drop-when-compacted`: requests carry it until its turn is compacted, and no summarizer reads it. `drop-beyond-protected`: it leaves requests as soon as a compaction is due and its turn is not protected, and no summarizer reads it. */
export type ReasoningPolicy = 'summarize' | 'drop-when-compacted' | 'drop-beyond-protected';
/** What a stage does; the profile says which ones run, and in which order. */
export type StageName =
  | 'offload-results'
  | 'snip'
  | 'micro'
  | 'prune'
  | 'drop-tool-outputs'
  | 'summarize'
  | 'collapse';
/** A constraint; what a child session was told to do; ids of running children; the plan in force. */
export type PinKind = 'constraint' | 'mandate' | 'children' | 'plan';
export type TurnRetention = {
  readonly turn: number;
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  readonly tokens: number;
  readonly rule: RetentionRule;
  readonly toolOutputs: PartRule;
  readonly reasoning: PartRule;
};
/** What becomes of a turn. `summarized`: a summary stands for it; `split`: for its older part. `snipped`: requests leave messages of it out; `collapsed`: a few lines stand for it in requests; `dropped`: the newest request went down the ladder and left messages of it out. `verbatim`: every message of it stands in requests. */
export type RetentionRule = 'summarized' | 'verbatim' | 'split' | 'snipped' | 'collapsed' | 'dropped';
/** What becomes of one kind of content in a turn: of at least one part of it, the word that takes away most; `none` where the turn has no such content. Tool outputs: `offloaded` leaves a preview; `cleared` (micro), `pruned` (prune), `dropped` (a compaction) and `masked` (the ladder) leave a line; `cut` (the ladder) leaves head and tail. Reasoning: `dropped` by the policy or the caller, so that no request and no summarizer has it; `omitted`: its provider would refuse it, so no request carries it; `cleared-by-provider`: the provider took it out of the newest request on its side. `snipped` and `collapsed`: it went with its message. */
export type PartRule =
  | 'none'
  | 'summarized'
  | 'dropped'
  | 'verbatim'
  | 'offloaded'
  | 'cleared'
  | 'pruned'
  | 'masked'
  | 'cut'
  | 'snipped'
  | 'collapsed'
  | 'omitted'
  | 'cleared-by-provider';
export type SkipReason =
  | {
      readonly rule: 'nothing-to-drop';
      readonly messages: number;
      readonly counted: number;
      readonly occupancy: number;
    }
  | {
      readonly rule: 'floor-too-high';
      readonly countedFloor: number;
      readonly countedBudget: number;
      readonly parts: readonly FloorPart[];
    }
  | {
      readonly rule: 'no-gain';
      readonly countedBefore: number;
      readonly countedAfter: number;
      readonly countedLimit: number;
    }
  | {
      readonly rule: 'protection-strict';
      readonly countedProtected: number;
      readonly countedTarget: number;
    };
/** A part of what no compaction can remove. */
export type FloorPart = { readonly part: string; readonly tokens: number };
export type Trigger =
  | 'threshold'
  | 'explicit'
  | 'overflow'
  | 'requested-mid-turn'
  | 'idle'
  | 'model-switched'
  | 'policy'
  | 'imported';
export type AttemptError = {
  /** The rule of verify that failed, or the class of the summarizer's error. */
  readonly rule: string;
  /** Numbers and names, never content. */
  readonly detail: string;
  /** Whether the same attempt would fail for ever, so that it is not made again; absent where it may not. */
  readonly permanent?: true;
};
/** The first message that stays in full. */
export type Cut = { readonly messageId: string; readonly revision: number };
/** The measure without the words that are missing: only where they stood. */
export type ExplainedFidelity = {
  /** Share of the weight of all keys, from 0 to 1; 1 where there were none. */
  readonly score: number;
  readonly keys: number;
  /** By what they name; `null` where it was not counted yet. */
  readonly kinds: null | {
    readonly identifiers: Kept;
    readonly paths: Kept;
    readonly errors: Kept;
    readonly numbers: Kept;
  };
  /** How many keys are missing in all; `null` where it was not counted yet. */
  readonly missingKeys: null | number;
  /** `missing` are the messages of those that are gone, the newest first. */
  readonly directives: Kept & { readonly missing?: readonly string[] };
  /** Where the weightiest of the missing keys stood last. */
  readonly missing: readonly string[];
};
/** How many there were in what was covered, and how many of them the context still holds. */
export type Kept = { readonly kept: number; readonly of: number };
/** A call whose output is no longer shown; `freed` is what that saves in a request, in counted tokens. `by` is there where the stage `prune` marked it, and not a compaction. */
export type DroppedOutput = {
  readonly messageId: string;
  readonly callId: string;
  readonly freed: number;
  readonly by?: 'prune';
};
