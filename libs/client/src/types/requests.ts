import type { Block, Usage } from '../messages/message.js';
import type { Cost } from './models.js';
import type { BudgetState, JsonObject, TurnRetention } from './shared.js';

/** Whose rules a request has to satisfy. */
export type WireFormat = 'anthropic' | 'openai-chat' | 'openai-responses';
/** How often composing did something beyond copying; of reasoning left out also why. */
export type NoteCount = {
  readonly action: 'answered-open-call' | 'quoted-stray-block' | 'renamed-call' | 'omitted-reasoning';
  readonly reason?: 'unsigned' | 'foreign-provider' | 'bound-to-changed-prefix' | 'nothing-follows';
  readonly count: number;
};
/** What a context provider or the caller gave to one request: counted in it, and no part of the history. */
export type ContributionSize = { readonly name: string; readonly tokens: number };
/** What a request leaves out that has to fit without a summary; each rung does all that those before it do. */
export type LadderRung = 'mask-outputs' | 'drop-groups' | 'newest-group' | 'truncate-messages';
/** What becomes of a request that does not fit and that no compaction makes fit. */
export type LadderPolicy = 'off' | 'on' | 'truncate';
/** The newest requests, one after the other, that went out on the ladder. */
export type LadderUse = { readonly requests: number; readonly rung: LadderRung };
/** A message of which a request holds the beginning and the end alone, in counted tokens. */
export type TruncatedMessage = {
  readonly messageId: string;
  readonly countedBefore: number;
  readonly countedAfter: number;
};
/** A message and its size in billed tokens, as it stands in the next request. */
export type SizedMessage = { readonly messageId: string; readonly billedTokens: number };
/**
 * Makes the next request of a session fit, if it is done now; `billedAfter` is the size of that request then, at most, in
 * billed tokens.
 */
export type Remedy =
  | { readonly remedy: 'wait'; readonly billedAfter?: number }
  | { readonly remedy: 'compact'; readonly billedAfter: number }
  | { readonly remedy: 'reset'; readonly billedAfter: number }
  | { readonly remedy: 'reduce-context'; readonly billedAfter: number }
  | { readonly remedy: 'override'; readonly billedAfter: number; readonly maxOutput: number }
  | { readonly remedy: 'shorten'; readonly billedAfter: number }
  | {
      readonly remedy: 'truncate-message';
      readonly billedAfter: number;
      readonly messageId: string;
      readonly billedTokens: number;
    }
  | { readonly remedy: 'use-larger-model'; readonly window: number };
/** What is to be shown beside a session: how full it is, what would help, and what goes on that its user should know. */
export type BudgetBanner = {
  readonly state: BudgetState;
  /** Of the next request, in billed tokens. */
  readonly occupancy: number;
  /** The occupancy at which the state begins, or the next one where the state is normal. */
  readonly threshold: number;
  readonly window: number;
  /** What would bring the session below its state, each with its effect in billed tokens. */
  readonly remedies: readonly Remedy[];
  /** The newest requests, one after the other, that went out shortened; `null` where the newest one did not. */
  readonly ladder: null | LadderUse;
  /** Whether the provider compacts beside this engine. */
  readonly duplicateCompaction: boolean;
};
/** The body of `POST /v1/messages`. */
export type AnthropicRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly JsonObject[];
  readonly messages: readonly AnthropicMessage[];
  readonly tools?: readonly JsonObject[];
};
/** A message of Anthropic's API. */
export type AnthropicMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };
/** The body of `POST /v1/chat/completions`. */
export type OpenAiChatRequest = {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly max_completion_tokens: number;
};
/** The body of `POST /v1/responses`. Nothing of it is kept by the provider: the session is. */
export type OpenAiResponsesRequest = {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly include?: readonly string[];
  readonly store: false;
  readonly max_output_tokens: number;
};
/** Why a request may not go out. Each is a pause of the session and never its end. */
export type RefusalReason = 'blocking' | 'compaction-required' | 'compaction-in-flight';
/** What composing did beyond copying: a function of the session, of which only counts are recorded. */
export type WireNote =
  | { readonly action: 'answered-open-call'; readonly callId: string }
  | { readonly action: 'quoted-stray-block'; readonly messageId: string; readonly type: string }
  | { readonly action: 'renamed-call'; readonly callId: string; readonly to: string }
  | { readonly action: 'omitted-reasoning'; readonly messageId: string; readonly reason: ReasoningOmission };
export type ReasoningOmission =
  | 'unsigned'
  | 'foreign-provider'
  | 'bound-to-changed-prefix'
  | 'nothing-follows';
/** A rule of a provider that a request breaks, and the place of the message that breaks it. */
export type Violation = { readonly rule: string; readonly at: number };
export type ComposeAnswer =
  | {
      /** Names the request: its bill is reported under it. */
      readonly requestId: string;
      readonly format: WireFormat;
      /** Of the session as it was composed from: everything up to it is in the request. */
      readonly revision: number;
      readonly turn: number;
      /** Billed tokens of the request: as they were billed, and estimated where nothing was billed yet. */
      readonly occupancy: number;
      /** Counted tokens of the same, before a rung of the ladder. */
      readonly counted: number;
      readonly window: number;
      readonly state: BudgetState;
      /** Compactions completed by then. */
      readonly epoch: number;
      /** What was applied to the manifest on its way out, in this order. */
      readonly stages: readonly string[];
      /** What composing did beyond copying, counted. */
      readonly notes: readonly NoteCount[];
      /** SHA-256 of the exact JSON body, hexadecimal. */
      readonly digest: string;
      /** SHA-256, in hex, of the parts that are not history. */
      readonly parts: PartDigests;
      /** What it carries besides the session; absent where that is nothing. */
      readonly contributions?: readonly ContributionSize[];
      /** Context providers that had nothing to give because they failed. */
      readonly failedProviders?: readonly string[];
      /** The longest answer that the request asks for, in tokens. */
      readonly maxOutput?: number;
      /** Where no compaction could make room: the lowest rung, what it left out, and the billed tokens of what went out. */
      readonly ladder?: {
        readonly rung: LadderRung;
        readonly masked: number;
        readonly droppedGroups: number;
        readonly truncated: readonly TruncatedMessage[];
        readonly tokens: number;
      };
      /** What the caller wanted of the ladder for this request; absent where the profile decided. */
      readonly ladderOption?: LadderPolicy;
      readonly outcome: 'composed';
      /** `null` while there is nothing to tell. */
      readonly banner: null | BudgetBanner;
      readonly request: AnthropicRequest | OpenAiChatRequest | OpenAiResponsesRequest;
      /** The request as it was digested: to be sent as it is. */
      readonly body: string;
    }
  | {
      readonly reason: RefusalReason;
      readonly turn: number;
      readonly state: BudgetState;
      readonly occupancy: number;
      readonly threshold: number;
      readonly window: number;
      /** Each would work now; the ones that lose least come first. */
      readonly remedies: readonly Remedy[];
      /** The largest message of the request. */
      readonly largest?: SizedMessage;
      /** What the request would have carried besides the session; absent where that is nothing. */
      readonly contributions?: readonly ContributionSize[];
      readonly outcome: 'refused';
    };
export type EditsReported = {
  /** What of the report was news; `null` where nothing was. */
  readonly edited: null | {
    readonly clearedToolUses: number;
    readonly clearedThinkingTurns: number;
    /** Of the request, as the provider counted them. */
    readonly clearedInputTokens: number;
    /** The compaction of its own that it made, with what it billed for that. */
    readonly compaction?: { readonly usage?: Usage; readonly cost?: Cost };
    readonly turn: number;
    /** The provider's id of the answer that told it, where it is known: the same answer tells nothing new. */
    readonly responseId?: string;
    /** Turns whose reasoning the model did not see, oldest first. */
    readonly reasoningClearedIn: readonly number[];
  };
  /** Where the provider has compacted beside this engine: what either has cost. */
  readonly duplicateCompaction: null | {
    readonly compactionId: string;
    readonly attempt: number;
    readonly worker: string;
    readonly usage?: Usage;
    readonly cost?: Cost;
    readonly applied?: { readonly worker: string; readonly usage?: Usage; readonly cost?: Cost };
  };
};
export type OverflowAnswer =
  | { readonly outcome: 'compacted'; readonly compactionId: string }
  | { readonly outcome: 'ladder' }
  | { readonly outcome: 'not-an-overflow' };
export type ContextView = {
  /** Members that are left out, since the key may not read text: `request`. */
  readonly withheld?: readonly string[];
  readonly format: WireFormat;
  readonly request: AnthropicRequest | OpenAiChatRequest | OpenAiResponsesRequest | JsonObject;
  /** The request that was asked for, and whether the SHA-256 of its body is the recorded one; `null` for any other view. */
  readonly requestId: null | string;
  readonly digestMatches: null | boolean;
  /** The exact JSON text of the request that was asked for; `null` for any other view. */
  readonly body: null | string;
  /** The parts in force. */
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  readonly notes: readonly WireNote[];
  readonly violations: readonly Violation[];
  readonly revision: number;
  /** Of the next request, by what the provider reported and this engine estimates. */
  readonly tokens: number;
  readonly window: number;
  readonly state: BudgetState;
  /** The compaction in force, and what it did. */
  readonly pivot: null | string;
  readonly retainedFrom: null | string;
  readonly retention: readonly TurnRetention[];
};

/** SHA-256, in hex, of the parts of a request that are not its history. */
export type PartDigests = {
  readonly systemPrompt: string;
  /** Of their JSON. */
  readonly tools: string;
  /** Absent where the request carries nothing besides the session. */
  readonly contributions?: string;
  /** Of what a client of the gateway sent around its history; absent where no client did. */
  readonly client?: string;
};
