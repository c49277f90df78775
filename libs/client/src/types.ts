// Generated from the OpenAPI document: `npm run client-types`.
import type { Block } from './messages/blocks.js';

/** An object that a provider or the caller defines; the API passes it on unchanged. */
export type JsonObject = { readonly [name: string]: unknown };

/** A message of Anthropic’s API. */
export type AnthropicMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };

/** The body of `POST /v1/messages`. */
export type AnthropicRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly JsonObject[];
  readonly messages: readonly AnthropicMessage[];
  readonly tools?: readonly JsonObject[];
};

export type AppendMessagesRequest = {
  readonly messages: readonly Message[];
  /** Bill of the last assistant message among them. */
  readonly usage?: ReportedUsage;
  /** Why the turn ended; absent if it continues. */
  readonly stopReason?: string;
};

/** A revision, a time (ISO 8601) or the ID of a request. */
export type AsOf = string | number;

export type AttemptError = {
  /** The rule of verify that failed, or the class of the summarizer’s error. */
  readonly rule: string;
  /** Numbers and names, never content. */
  readonly detail: string;
  /** Set if a repeated attempt would fail the same way, so that none follows. */
  readonly permanent?: true;
};

/** Type of an audit row. */
export type AuditEventType = EventType | TenantEventType;

/** A read of audit rows or of text by a caller. */
export type AuditReadRow = {
  readonly position: string;
  readonly recordedAt: string;
  readonly actor: string;
  readonly kind: ReadKind;
  /** Such as `GET /v1/audit`, or `palimpsest export`. */
  readonly endpoint: string;
  /** The session whose text was read; `null` for facts, and for text of several sessions. */
  readonly session: string | null;
  /** Range of revisions of that session from which the answer comes. */
  readonly revisions: RevisionRange | null;
  /** Filters of the request, as the reader gave them. */
  readonly filters: JsonObject;
  /** Number of returned rows; `null` for text. */
  readonly rows: number | null;
  /** The reason that the reader gave. */
  readonly reason: string | null;
};

/** One audited event, without message content. */
export type AuditRow = {
  /** Position in the whole log; a string, since it may exceed the numbers of JSON. */
  readonly position: string;
  /** `null` for a decision about the tenant itself. */
  readonly session: string | null;
  /** Revision in the stream of the session, or of the tenant’s decisions. */
  readonly revision: number;
  readonly type: AuditEventType;
  readonly recordedAt: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly compactionId: string | null;
  /** The trigger of the compaction that the event belongs to. */
  readonly trigger: Trigger | null;
  /** The outcome of the compaction by this event; `null` if the event neither ends nor undoes one. */
  readonly outcome: CompactionEnd | null;
  /** The profile of the event or its compaction, else of the session at that time. */
  readonly profile: string | null;
  readonly model: string | null;
  readonly payload: JsonObject;
};

/** `-` sorts newest first. */
export type AuditSort = '-position' | 'position' | '-time' | 'time';

export type AuditTotals = {
  /** Number of all matching rows, including those of unlisted groups. */
  readonly events: number;
  /** Days in order, other groups by number of rows, the largest first; at most 1,000. */
  readonly groups: readonly { readonly key: string | null; readonly events: number }[];
  /** Groups that are not listed; their rows are in `events`. */
  readonly omittedGroups: number;
};

export type AwaitOutcomeQuery = {
  /** Maximum wait in seconds. */
  readonly timeoutSeconds?: number;
};

/** Billed tokens by kind. */
export type BilledTokens = {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
};

/** The budget state of a session for its user: occupancy, remedies, and notes on shortened requests and double compaction. */
export type BudgetBanner = {
  readonly state: BudgetState;
  /** Billed tokens of the next request. */
  readonly occupancy: number;
  /** The occupancy at which the state begins; in the state `normal`, that of the next state. */
  readonly threshold: number;
  readonly window: number;
  /** Actions that would lower the state, each with its effect in billed tokens. */
  readonly remedies: readonly Remedy[];
  /** The uninterrupted series of newest requests that were shortened; `null` if the newest one was complete. */
  readonly ladder: LadderUse | null;
  /** Whether the provider compacts this session, too, so that its context differs from the engine’s. */
  readonly duplicateCompaction: boolean;
};

export type BudgetState = 'normal' | 'warning' | 'critical' | 'blocking';

export type CancelCompactionResponse = {
  readonly compactionId: string;
  /** `false` if it had already ended or was never requested. */
  readonly cancelled: boolean;
};

export type CancelledBy = 'reset' | 'revert' | 'close' | 'caller' | 'hook' | 'erasure';

/** The part of a message that requests contain: counted tokens, and the rules that reduce it. */
export type CarriedMessage = {
  readonly rule: MessageRule;
  /** Rules of its tool results in order; empty if all are verbatim. */
  readonly toolOutputs: readonly PartRule[];
  readonly reasoning: PartRule;
  readonly countedTokens: number;
};

export type ChangeLimitsRequest = {
  readonly requestsPerSecond?: number;
  readonly requestsPerMinute?: number;
  /** Tokens of appended messages per minute. */
  readonly tokensPerMinute?: number;
  /** Compactions that run at the same time in one process. */
  readonly concurrentCompactions?: number;
};

export type ChangeSettingsRequest = {
  readonly profile?: ProfileSource;
  /** Single fields of the profile. */
  readonly overrides?: JsonObject;
  /** Tokens; 0 is unlimited. */
  readonly window?: number;
  /** Model of the next requests. */
  readonly model?: string;
  /** The system prompt of the next requests. */
  readonly system?: string;
  /** The tools of the next requests. */
  readonly tools?: readonly JsonObject[];
  /** Its title; `null` removes it. */
  readonly title?: string | null;
  /** Its project; `null` removes it. */
  readonly project?: string | null;
  /** The label `user`; `null` removes it. */
  readonly user?: string | null;
  /** The label `customer`, a data subject of later content; `null` removes it. */
  readonly customer?: string | null;
  /** Labels to set; `null` removes a label, other labels stay. */
  readonly labels?: Readonly<Record<string, string | null>>;
};

export type ChangeWebhookRequest = {
  readonly url?: string;
  /** Purpose. */
  readonly label?: string;
  /** Delivered event types; empty for all. */
  readonly types?: readonly EventType[];
  /** Sessions whose events are delivered; empty for all. */
  readonly sessions?: readonly string[];
  /** `full` includes the text of users and models. */
  readonly content?: 'none' | 'full';
};

/** A message of both contexts of which one contains more than the other. */
export type ChangedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly role: Role;
  readonly turn: number;
  readonly a: CarriedMessage;
  readonly b: CarriedMessage;
};

export type Closed = { readonly session: string; readonly closed: true };

/** The outcome of a compaction. */
export type CompactionEnd = 'completed' | 'failed' | 'skipped' | 'cancelled' | 'reverted';

export type CompactionExplanation = {
  readonly session: string;
  readonly compactionId: string;
  readonly kind: 'compaction';
  readonly outcome: ExplainedOutcome;
  readonly why: WhyNow;
  readonly plan: WhyCut | null;
  /** Facts of the transcript, if the agent of an imported session made it; `null` otherwise. */
  readonly imported: Imported | null;
  readonly turns: readonly TurnRetention[];
  readonly attempts: readonly ExplainedAttempt[];
  /** Results that arrived after that of another worker: billed, but not applied. */
  readonly lateResults: readonly {
    readonly attempt: number;
    readonly worker: string;
    readonly usage: Usage | null;
    readonly cost: Cost | null;
  }[];
  /** The provider’s context edits in the turn in which the compaction came into force, with separate cost. */
  readonly besideProvider: readonly {
    readonly revision: number;
    readonly at: string;
    readonly compacted: boolean;
    readonly clearedToolUses: number;
    readonly clearedThinkingTurns: number;
    /** Cleared tokens of the request, as the provider counted them. */
    readonly clearedInputTokens: number;
    readonly usage: Usage | null;
    readonly cost: Cost | null;
  }[];
  readonly verified: Verified | null;
  /** `null` unless the compaction completed. */
  readonly promptCache: PromptCacheEffect | null;
  /** `null` if nothing was covered or measured. */
  readonly lost: Lost | null;
  readonly covered: Covered | null;
  /** The earlier compaction whose summary was merged or kept. */
  readonly previous: string | null;
  readonly droppedOutputs: readonly DroppedOutput[];
};

export type CompactionOutcome =
  | {
      readonly outcome: 'completed';
      readonly compactionId: string;
      readonly trigger: Trigger;
      readonly attempts: number;
      readonly countedBefore: number;
      readonly countedAfter: number;
      readonly billedBefore: number;
      readonly billedAfter: number;
      readonly target: number;
      readonly targetRaised: RaisedTarget | null;
      /** Why the protected part is not retained whole; `null` if it is. */
      readonly protection: ProtectionYield | null;
      /** The summarizer; `deterministic` tells whether it returns the same summary for the same input. */
      readonly summarizer: SummarizerIdentity;
      /** Usage of the attempt whose result is in force; `null` if nothing was billed. */
      readonly usage: Usage | null;
      readonly cost: Cost | null;
      readonly durationMs: number;
      /** The first message that stays in full; `null` without one. */
      readonly retainedFrom: string | null;
      readonly coveredMessages: number;
      readonly fileOperations: FileOperations;
      readonly fidelity: {
        readonly score: number;
        readonly keys: number;
        readonly missingKeys: number | null;
      } | null;
      readonly retention: readonly TurnRetention[];
      readonly summary: string | null;
    }
  | {
      readonly compactionId: string;
      readonly attempts: number;
      readonly error: AttemptError;
      readonly outcome: 'failed';
    }
  | {
      readonly compactionId?: string;
      readonly trigger: Trigger;
      readonly reason: SkipReason;
      readonly outcome: 'skipped';
    }
  | {
      readonly compactionId: string;
      readonly by: CancelledBy;
      readonly reason: string;
      readonly outcome: 'cancelled';
    };

/** A compaction from its request to its end. */
export type CompactionRecord = {
  /** Position of its request in the log. */
  readonly position: string;
  readonly session: string;
  readonly compactionId: string;
  readonly trigger: Trigger;
  /** `null` for an open compaction. */
  readonly outcome: CompactionEnd | null;
  /** The rule that skipped it, or the error of its newest attempt. */
  readonly reason: string | null;
  readonly profile: string;
  /** The actor that requested it. */
  readonly actor: string;
  readonly turn: number;
  readonly attempts: number;
  readonly worker: string | null;
  readonly summarizer: string | null;
  readonly model: string | null;
  readonly promptVersion: string | null;
  readonly countedBefore: number | null;
  readonly countedAfter: number | null;
  readonly billedBefore: number | null;
  readonly billedAfter: number | null;
  readonly coveredMessages: number | null;
  /** Share of the covered facts that the context still contains, 0 to 1; `null` without a measurement. */
  readonly fidelity: number | null;
  readonly durationMs: number | null;
  /** Usage of all attempts. */
  readonly usage: {
    readonly inputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
    readonly outputTokens: number;
  };
  /** Cost of all attempts. */
  readonly cost: CostTotal;
  readonly requestedAt: string;
  readonly endedAt: string | null;
};

export type CompactionRequest = {
  /** Cause of the request: the user, the policy of a workflow, or a caller that waits for the end of the turn. */
  readonly trigger?: 'explicit' | 'policy' | 'requested-mid-turn';
  /** A policy in place of the session’s, for this compaction only. */
  readonly profile?: ProfileSource;
  /** Focus of the summary. */
  readonly instructions?: string;
};

/** A compaction as of its newest projected event. */
export type CompactionSummary = {
  readonly compactionId: string;
  readonly trigger: string;
  readonly turn: number;
  readonly profile: string;
  /** The actor that requested it. */
  readonly actor: string;
  readonly attempts: number;
  /** `null` for an open compaction. */
  readonly outcome: string | null;
  /** The rule that skipped it, or the error with which it failed. */
  readonly reason: string | null;
  readonly countedBefore: number | null;
  readonly countedAfter: number | null;
  readonly billedBefore: number | null;
  readonly billedAfter: number | null;
  readonly coveredMessages: number | null;
  /** Share of the covered facts that the context still contains, 0 to 1; `null` without a measurement. */
  readonly fidelity: number | null;
  readonly summarizer: string | null;
  readonly requestedAt: string;
  readonly endedAt: string | null;
};

export type CompactionTotals = {
  readonly tokens: BilledTokens;
  readonly cost: CostTotal;
  /** Number of composed requests. Compactions made `smallerRequests` of them smaller. */
  readonly requests: number;
  readonly smallerRequests: number;
  /** Sum of the counted tokens by which compactions made them smaller. */
  readonly countedSaved: number;
  /** Results that were discarded because another worker had completed the compaction; `cost` includes theirs. */
  readonly doubleRuns: { readonly runs: number; readonly cost: CostTotal };
  readonly completed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cancelled: number;
  readonly reverted: number;
};

export type CompareProfilesRequest = {
  /** Profiles to compare; all by default. */
  readonly profiles?: readonly ProfileSource[];
};

export type CompleteTurnRequest = {
  /** Why the turn ended. */
  readonly stopReason?: string;
};

export type CompletedTurn = {
  readonly revision?: number;
  readonly turn: number;
  /** `false` if no turn was in progress. */
  readonly completed: boolean;
  /** The deferred compaction that is requested now. */
  readonly compactionId?: string;
};

export type ComposeOptions = {
  /** Provider format of the request. */
  readonly format?: WireFormat;
  /** Lets this turn continue although a compaction is required. */
  readonly override?: Reasoned;
  /** Ladder policy of this request; the profile’s by default. `off` returns an error. */
  readonly ladder?: LadderPolicy;
  /** Contributions to this request only. */
  readonly contributions?: readonly { readonly name: string; readonly text: string }[];
};

/** A composed request. */
export type Composed = {
  /** The id of the request in its bill and wherever its body is referenced. */
  readonly requestId: string;
  readonly format: WireFormat;
  /** Revision of the session from which the request was composed, inclusive. */
  readonly revision: number;
  readonly turn: number;
  /** Billed tokens of the request: from usage, and estimated for unbilled content. */
  readonly occupancy: number;
  /** Counted tokens of the request before any rung of the ladder. */
  readonly counted: number;
  readonly window: number;
  readonly state: BudgetState;
  /** Number of completed compactions at that revision. */
  readonly epoch: number;
  /** Stages applied to the manifest, in order. */
  readonly stages: readonly string[];
  /** Counts of changes by composing. */
  readonly notes: readonly NoteCount[];
  /** SHA-256 of the exact JSON body, hexadecimal. */
  readonly digest: string;
  /** SHA-256, in hex, of the parts that are not history. */
  readonly parts: PartDigests;
  /** Contributions to the request; absent without any. */
  readonly contributions?: readonly ContributionSize[];
  /** Context providers that failed. */
  readonly failedProviders?: readonly string[];
  /** The request’s output limit in tokens; absent without one. */
  readonly maxOutput?: number;
  /** Set if no compaction could make room: the lowest rung, its omissions, and the billed tokens of the sent request. */
  readonly ladder?: {
    readonly rung: LadderRung;
    readonly masked: number;
    readonly droppedGroups: number;
    readonly truncated: readonly TruncatedMessage[];
    readonly tokens: number;
  };
  /** The caller’s ladder option for this request; absent for the profile’s. */
  readonly ladderOption?: LadderPolicy;
  readonly outcome: 'composed';
  /** `null` in the state `normal` without notes. */
  readonly banner: BudgetBanner | null;
  readonly request: AnthropicRequest | OpenAiChatRequest | OpenAiResponsesRequest;
  /** The exact JSON text that the digest covers; send it unchanged. */
  readonly body: string;
};

export type ContextDiff = {
  readonly a: ContextSide;
  readonly b: ContextSide;
  readonly summaryChanged: boolean;
  readonly messages: {
    readonly onlyInA: readonly DiffedMessage[];
    readonly onlyInB: readonly DiffedMessage[];
    readonly changed: readonly ChangedMessage[];
  };
  readonly droppedOutputs: {
    readonly onlyInA: readonly DroppedOutput[];
    readonly onlyInB: readonly DroppedOutput[];
  };
  /** A replaced pin is on both sides. */
  readonly pins: { readonly onlyInA: readonly DiffedPin[]; readonly onlyInB: readonly DiffedPin[] };
};

export type ContextOverflowFacts = {
  /** Billed tokens of the smallest request. */
  readonly tokens: number;
  /** Tokens that fit; `null` for an unknown window. */
  readonly budget: number | null;
  readonly remedies: readonly Remedy[];
};

export type ContextSide = {
  readonly revision: number;
  readonly tokens: number;
  readonly messages: number;
  /** Summary at the start of the context; `null` without a compaction. */
  readonly summary: DiffedSummary | null;
};

export type ContextView = {
  /** Members that are left out, since the key may not read text: `request`. */
  readonly withheld?: readonly string[];
  readonly format: WireFormat;
  readonly request: AnthropicRequest | OpenAiChatRequest | OpenAiResponsesRequest | JsonObject;
  /** ID of the requested request; `null` for other views. */
  readonly requestId: string | null;
  readonly digestMatches: boolean | null;
  /** Exact JSON text of the requested request; `null` for other views. */
  readonly body: string | null;
  /** System prompt and tools in force. */
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  readonly notes: readonly WireNote[];
  readonly violations: readonly Violation[];
  readonly revision: number;
  /** Billed tokens of the next request, as reported and estimated. */
  readonly tokens: number;
  readonly window: number;
  readonly state: BudgetState;
  /** The compaction in force. */
  readonly pivot: string | null;
  readonly retainedFrom: string | null;
  readonly retention: readonly TurnRetention[];
};

/** A contribution of a context provider or of the caller to one request: counted in it, and not part of the history. */
export type ContributionSize = { readonly name: string; readonly tokens: number };

export type ConversationAppended = {
  readonly appended: number;
  /** Number of messages that the session already ended with. */
  readonly known: number;
  readonly messages: number;
  readonly turn: number;
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
  /** The requested or running compaction, for which the next request should wait. */
  readonly compactionId: string | null;
  /** Banner to show with the session; `null` in the state `normal` without notes. */
  readonly banner: BudgetBanner | null;
};

/** The cost of usage. Unpriced usage is listed and not part of the sum. */
export type Cost = {
  /** The sum of all priced usage; absent without any. */
  readonly nanoUsd?: number;
  /** The prices of the sum. */
  readonly prices: readonly {
    /** Name in the catalog. */
    readonly model: string;
    readonly rates: TokenRates;
    readonly source: string;
    readonly asOf: string;
  }[];
  /** Usage without a price; absent without any. */
  readonly unpriced?: readonly {
    readonly model: string;
    readonly reason: 'unknown-model' | 'no-price' | 'no-cache-price' | 'other-seller';
    /** Tokens of all kinds. */
    readonly tokens: number;
  }[];
};

/** US dollars, by the prices in force at the time of each bill. */
export type CostTotal = {
  /** Billionths of a US dollar; `null` if no usage has a price. */
  readonly nanoUsd: number | null;
  /** Billed tokens without a price, which `nanoUsd` does not include. */
  readonly unpricedTokens: number;
};

export type CountAuditRowsQuery = {
  /** letters, digits and _ . : -, at most 128. */
  readonly session?: string;
  /** Sessions of this agent program. */
  readonly agent?: string;
  /** Sessions of this project. */
  readonly project?: string;
  /** Sessions with this label `user`. */
  readonly user?: string;
  /** Sessions with this label `customer`. */
  readonly customer?: string;
  /** name or name=value; each of several where it is given several times. */
  readonly label?: string | readonly string[];
  /** Types of events; may be repeated. */
  readonly type?: AuditEventType | readonly AuditEventType[];
  /** Trigger of the event’s compaction. */
  readonly trigger?: Trigger;
  /** Outcome of a compaction by the event. */
  readonly outcome?: CompactionEnd;
  /** Profile of the compaction, or of the session at that time. */
  readonly profile?: string;
  /** The billed model, or the session’s model at that time. */
  readonly model?: string;
  /** The actor of the event. */
  readonly actor?: string;
  /** Correlation ID of a turn or operation. */
  readonly correlation?: string;
  /** ID of the event’s compaction. */
  readonly compaction?: string;
  /** A name, path, error or number that a compaction has lost, or words of a lost directive. */
  readonly lost?: string;
  /** Earliest time of recording, inclusive. */
  readonly since?: Instant;
  /** Latest time of recording, exclusive. */
  readonly until?: Instant;
  /** The groups by which rows are counted. Days are in UTC; metadata has its current value. */
  readonly by:
    | 'type'
    | 'day'
    | 'actor'
    | 'outcome'
    | 'trigger'
    | 'profile'
    | 'model'
    | 'session'
    | 'agent'
    | 'project'
    | 'user'
    | 'customer'
    | `label:${string}`;
};

/** Messages that the summary covers; `previous` names an earlier summary. */
export type Covered = {
  readonly messages: number;
  readonly tokens: number;
  readonly from: string;
  readonly to: string;
  /** Oldest first; `null` if this version computes another range than the recorded one. */
  readonly ids: readonly string[] | null;
};

export type CreateKeyRequest = {
  readonly role: KeyRole;
  /** Permissions in addition to the role’s: agents and admins have `content:read`, auditors and operators do not. */
  readonly permissions?: readonly KeyPermission[];
  /** Purpose. */
  readonly label?: string;
  /** Time of expiry; `null` for a key that does not expire. */
  readonly expiresAt?: string | null;
};

/** The first message that stays in full. */
export type Cut = { readonly messageId: string; readonly revision: number };

export type DeferCompactionsRequest = {
  /** End of the hold. */
  readonly until: HoldUntil;
  /** Reason for the audit. */
  readonly reason: string;
};

export type Deferred = { readonly session: string; readonly until: HoldUntil };

export type DeliveryState = 'pending' | 'delivered' | 'dead';

export type DescribeModelRequest = {
  readonly vendor?: string;
  readonly aliases?: readonly string[];
  readonly window?: number;
  readonly inputMax?: number;
  readonly outputMax?: number;
  readonly tokenizer?: string;
  readonly lifecycle?: ModelLifecycle;
  readonly prices?: readonly {
    readonly from?: string;
    readonly rates: GivenModelRates;
    readonly longPrompt?: { readonly above: number; readonly rates: GivenModelRates };
    readonly batchPercent?: number;
    readonly evidence: GivenModelEvidence;
  }[];
  readonly evidence?: GivenModelEvidence;
};

export type DiffContextsQuery = {
  /** First state: a revision, a time (ISO 8601) or the ID of a request. */
  readonly a: AsOf;
  /** Second state, before or after the first. */
  readonly b: AsOf;
  /** Whether to include the text of messages and summaries. */
  readonly content?: string;
};

export type DiffedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly role: Role;
  readonly turn: number;
  readonly tokens: number;
  /** Only if requested. */
  readonly content?: readonly Block[];
};

export type DiffedPin = {
  /** Counted tokens of the text as requests carry it. */
  readonly tokens: number;
  readonly kind: PinKind;
  readonly pinId: string;
};

export type DiffedSummary = {
  readonly compactionId: string;
  readonly kind: PivotKind;
  readonly tokens: number;
  /** Only if requested; `null` after a reset, which has none. */
  readonly text?: string | null;
};

/** A call whose output is no longer sent; `freed` are the saved tokens. */
export type DroppedOutput = {
  readonly messageId: string;
  readonly callId: string;
  readonly freed: number;
  /** Set by the prune stage; absent for a compaction. */
  readonly by?: 'prune';
};

export type EditsReported = {
  /** The newly reported edits; `null` if all were known. */
  readonly edited: {
    readonly clearedToolUses: number;
    readonly clearedThinkingTurns: number;
    /** Cleared tokens of the request, as the provider counted them. */
    readonly clearedInputTokens: number;
    /** The provider’s own compaction, with its bill. */
    readonly compaction?: { readonly usage?: Usage; readonly cost?: Cost };
    readonly turn: number;
    /** The provider’s id of the reporting answer, if known: a repeated report is ignored. */
    readonly responseId?: string;
    /** Turns whose reasoning the model did not see, oldest first. */
    readonly reasoningClearedIn: readonly number[];
  } | null;
  /** Costs of both compactions, if the provider has compacted this session, too. */
  readonly duplicateCompaction: {
    readonly compactionId: string;
    readonly attempt: number;
    readonly worker: string;
    readonly usage?: Usage;
    /** Cost by the prices at that time; absent without usage, and in older events. */
    readonly cost?: Cost;
    readonly applied?: { readonly worker: string; readonly usage?: Usage; readonly cost?: Cost };
  } | null;
};

/** The erasure of content, which markers replace. */
export type Erased = {
  /** The actor that requested it. */
  readonly by: string;
  /** Time of the request. */
  readonly at: string;
  readonly erasure: string;
  readonly scope: 'subject' | 'session' | 'tenant';
};

/** An erasure of content as recorded in the ledger. */
export type Erasure = {
  readonly erasure: string;
  readonly state: 'awaiting-approval' | 'deferred' | 'in-progress' | 'completed' | 'withdrawn';
  readonly target: ErasureTarget;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedAt: string;
  readonly approvedBy: string | null;
  /** Holds and retention periods that block the erasure, with their end. */
  readonly deferred: { readonly because: string; readonly until: string | null } | null;
  /** Receipt of the completed erasure. */
  readonly receipt: {
    /** IDs of the destroyed keys; empty for a whole tenant. */
    readonly keys: readonly string[];
    /** ID of the tenant’s destroyed key. */
    readonly tenantKey: string | null;
    readonly counts: {
      readonly keys: number;
      readonly sessions: number;
      /** Number of removed items by place. */
      readonly places: Readonly<Record<string, number>>;
    };
    readonly durationMs: number;
    readonly completedAt: string;
  } | null;
};

/** The first fact that forbids an erasure. */
export type ErasureBarrier =
  | { readonly kind: 'hold'; readonly matter: string }
  | {
      readonly kind: 'retention';
      /** `governance` can be shortened with permission and a reason; `compliance` can only be lengthened. */
      readonly mode: RetentionMode;
      readonly until: string;
    };

export type ErasurePolicy = {
  /** 2 if another person approves each erasure. */
  readonly people: 1 | 2;
};

export type ErasureRequest = {
  /** Erases a data subject’s content in all sessions of the tenant. */
  readonly subject?: string;
  /** Erases all content of a session. */
  readonly session?: string;
  /** Erases all content of the key’s tenant. */
  readonly tenant?: true;
  /** Reason for the audit; kept permanently, so it must not contain personal data. */
  readonly reason: string;
};

export type ErasureTarget =
  | {
      readonly scope: 'subject';
      /** The fingerprint of the subject. */
      readonly subject: string;
    }
  | { readonly scope: 'session'; readonly session: string }
  | { readonly scope: 'tenant' };

/** Stable code of an error, explained at `/errors/CODE`. */
export type ErrorCode =
  | 'session-not-found'
  | 'log-not-found'
  | 'log-behind'
  | 'session-closed'
  | 'session-already-open'
  | 'session-diverged'
  | 'invalid-id'
  | 'invalid-settings'
  | 'unknown-profile'
  | 'unknown-window'
  | 'unknown-model'
  | 'models-unavailable'
  | 'unknown-projection'
  | 'projection-behind'
  | 'projection-stopped'
  | 'projection-not-stopped'
  | 'message-conflict'
  | 'invalid-message'
  | 'pin-not-found'
  | 'hold-not-found'
  | 'too-many-holds'
  | 'retention-locked'
  | 'message-not-found'
  | 'confirmation-required'
  | 'compaction-not-revertible'
  | 'context-overflow'
  | 'turn-in-progress'
  | 'compaction-disabled'
  | 'prompt-not-found'
  | 'request-refused'
  | 'request-not-found'
  | 'revision-not-found'
  | 'revision-mismatch'
  | 'idempotency-key-reused'
  | 'request-in-progress'
  | 'compaction-not-found'
  | 'nothing-to-import'
  | 'unknown-format'
  | 'unreadable-file'
  | 'unwritable-file'
  | 'data-folder-in-use'
  | 'data-folder-newer'
  | 'data-folder-damaged'
  | 'data-folder-unusable'
  | 'port-in-use'
  | 'host-unusable'
  | 'insecure-host'
  | 'invalid-certificate'
  | 'user-not-found'
  | 'user-exists'
  | 'backup-damaged'
  | 'restore-target-in-use'
  | 'restore-unfinished'
  | 'installation-mismatch'
  | 'installation-key-wrong'
  | 'key-store-unreachable'
  | 'copy-diverged'
  | 'copy-incomplete'
  | 'disk-full'
  | 'event-store-unavailable'
  | 'postgres-unavailable'
  | 'postgres-newer'
  | 'migration-changed'
  | 'compaction-timed-out'
  | 'concurrency-conflict'
  | 'append-too-large'
  | 'corrupt-event'
  | 'content-key-missing'
  | 'erasure-in-progress'
  | 'erasure-not-found'
  | 'erasure-not-pending'
  | 'approval-by-requester'
  | 'invalid-configuration'
  | 'unknown-command'
  | 'invalid-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'content-forbidden'
  | 'key-file-unwritable'
  | 'agent-not-found'
  | 'route-not-found'
  | 'method-not-allowed'
  | 'too-many-readers'
  | 'position-ahead'
  | 'tenant-not-found'
  | 'tenant-exists'
  | 'key-not-found'
  | 'key-inactive'
  | 'webhook-not-found'
  | 'too-many-webhooks'
  | 'address-forbidden'
  | 'delivery-not-found'
  | 'delivery-not-dead'
  | 'delivery-not-pending'
  | 'secret-not-found'
  | 'too-many-secrets'
  | 'secret-unreadable'
  | 'secrets-key-missing'
  | 'rate-limited'
  | 'overloaded'
  | 'request-timeout'
  | 'upstream-unreachable'
  | 'upstream-key-missing'
  | 'service-unreachable'
  | 'unexpected-answer'
  | 'internal';

/** Type of an event of a session. */
export type EventType =
  | 'BlockingThresholdReached'
  | 'CompactionApplied'
  | 'CompactionAttemptFailed'
  | 'CompactionAwaited'
  | 'CompactionCancelled'
  | 'CompactionCircuitClosed'
  | 'CompactionCircuitHalfOpened'
  | 'CompactionCircuitOpened'
  | 'CompactionCompleted'
  | 'CompactionDeferred'
  | 'CompactionDuplicated'
  | 'CompactionFailed'
  | 'CompactionMadeNoProgress'
  | 'CompactionOverridden'
  | 'CompactionReasoningDowngraded'
  | 'CompactionRequested'
  | 'CompactionRequired'
  | 'CompactionReverted'
  | 'CompactionSkipped'
  | 'CompactionStarted'
  | 'CompactionSummaryExceededLimit'
  | 'CompactionThresholdHit'
  | 'CompactionYieldedNoGain'
  | 'CompactionsHeld'
  | 'CompactionsReleased'
  | 'ContentErased'
  | 'ContentPinned'
  | 'ContentUnpinned'
  | 'ContextOverflowed'
  | 'ContinuationQueued'
  | 'DuplicateCompactionConfigured'
  | 'LadderEntered'
  | 'LadderExited'
  | 'LegalHoldPlaced'
  | 'LegalHoldReleased'
  | 'MessageAppended'
  | 'ModelSwitched'
  | 'OccupancyFell'
  | 'OverflowReported'
  | 'ProjectionSkipped'
  | 'ProviderContextEdited'
  | 'ReasoningDropped'
  | 'RequestComposed'
  | 'RequestCounted'
  | 'RequestPartsChanged'
  | 'RequestRefused'
  | 'RetentionPeriodEnded'
  | 'RetentionPeriodRemoved'
  | 'RetentionPeriodSet'
  | 'SegmentCollapsed'
  | 'SessionClosed'
  | 'SessionDescribed'
  | 'SessionForked'
  | 'SessionOpened'
  | 'SessionReset'
  | 'SettingsChanged'
  | 'ToolCallAbandoned'
  | 'ToolOutputsPruned'
  | 'ToolResultOffloaded'
  | 'TurnCompleted'
  | 'UsageReported'
  | 'WarningThresholdReached';

export type ExplainedAttempt = {
  /** Number of context lines of hooks; the log holds their text. */
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
  readonly error: AttemptError | null;
  readonly usage: Usage | null;
  /** `null` if nothing was billed or no cost was recorded. */
  readonly cost: Cost | null;
  /** Sizes measured by verification, if one was the reason. */
  readonly oversize: { readonly tokens: number; readonly countedLimit: number } | null;
  readonly noGain: {
    readonly countedBefore: number;
    readonly countedAfter: number;
    readonly countedLimit: number;
  } | null;
  /** References of the summary to reasoning: removed marks, and quoted covered blocks. */
  readonly reasoning: { readonly marks: number; readonly blocks: number } | null;
  /** Earliest time of the next attempt. */
  readonly retryAt: string | null;
};

/** The fidelity with message IDs in place of the missing words. */
export type ExplainedFidelity = {
  /** Share of the weight of all keys, 0 to 1; 1 without keys. */
  readonly score: number;
  readonly keys: number;
  /** By kind; `null` if not recorded. */
  readonly kinds: {
    readonly identifiers: Kept;
    readonly paths: Kept;
    readonly errors: Kept;
    readonly numbers: Kept;
  } | null;
  /** Number of missing keys; `null` if not recorded. */
  readonly missingKeys: number | null;
  /** `missing` lists the messages of the lost directives, newest first. */
  readonly directives: {
    readonly kept: number;
    readonly of: number;
    /** Messages of lost directives, newest first. */
    readonly missing?: readonly string[];
  };
  /** Last messages of the most important missing keys. */
  readonly missing: readonly string[];
};

export type ExplainedField = {
  readonly field: string;
  readonly value?: string | number | boolean | readonly string[] | readonly ModelOverrides[];
  /** Its meaning and its valid values. */
  readonly says: string;
  readonly expects: string;
  /** Group of rules: a heading of the compaction guide. */
  readonly theme: ProfileTheme;
  /** Whether the value equals that of the default profile. */
  readonly isDefault: boolean;
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
      readonly by: CancelledBy;
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

export type Explanation = CompactionExplanation | ResetExplanation | ForkExplanation;

export type ExportAuditQuery = {
  /** letters, digits and _ . : -, at most 128. */
  readonly session?: string;
  /** Sessions of this agent program. */
  readonly agent?: string;
  /** Sessions of this project. */
  readonly project?: string;
  /** Sessions with this label `user`. */
  readonly user?: string;
  /** Sessions with this label `customer`. */
  readonly customer?: string;
  /** name or name=value; each of several where it is given several times. */
  readonly label?: string | readonly string[];
  /** Types of events; may be repeated. */
  readonly type?: AuditEventType | readonly AuditEventType[];
  /** Trigger of the event’s compaction. */
  readonly trigger?: Trigger;
  /** Outcome of a compaction by the event. */
  readonly outcome?: CompactionEnd;
  /** Profile of the compaction, or of the session at that time. */
  readonly profile?: string;
  /** The billed model, or the session’s model at that time. */
  readonly model?: string;
  /** The actor of the event. */
  readonly actor?: string;
  /** Correlation ID of a turn or operation. */
  readonly correlation?: string;
  /** ID of the event’s compaction. */
  readonly compaction?: string;
  /** A name, path, error or number that a compaction has lost, or words of a lost directive. */
  readonly lost?: string;
  /** Earliest time of recording, inclusive. */
  readonly since?: Instant;
  /** Latest time of recording, exclusive. */
  readonly until?: Instant;
  readonly sort?: AuditSort;
  readonly format?: 'ndjson' | 'csv';
};

export type ExportProofQuery = {
  /** `clear`: with text, which needs `content:read`; `sealed`: encrypted, for a proof without text. */
  readonly content?: 'clear' | 'sealed';
  /** Adds a proof that the log continues its tree of this size. */
  readonly since?: number;
};

/** The first line; the form is in docs/guides/proofs.md. */
export type ExportProofResponse = { readonly form: string };

export type ExportSessionPageQuery = {
  /** `none`: sizes, times and IDs; `clear`: with text, which needs `content:read`. */
  readonly content?: 'none' | 'clear';
};

export type ExportSessionQuery = {
  /** Only this message. */
  readonly message?: string;
  /** Only messages up to a revision, a time (ISO 8601) or the state of a request ID. */
  readonly asOf?: AsOf;
};

/** An exported message, always the original. */
export type ExportedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly role: Role;
  readonly synthetic?: 'continuation' | 'restated';
  readonly content: readonly Block[];
  readonly erased?: Erased;
};

export type Fault = {
  /** Path of the invalid member; empty for the whole request. */
  readonly at: string;
  /** The error. */
  readonly problem: string;
};

/** Files that tool calls read and changed, oldest first; a file that was read and later changed is in `modified` only. Deleted and renamed files are in their own lists only; the target of a rename counts as changed. */
export type FileOperations = {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** Absent without any. */
  readonly deleted?: readonly string[];
  /** Absent without any. */
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
};

/** An irreducible part of the context. */
export type FloorPart = { readonly part: string; readonly tokens: number };

export type ForgetModelResponse = { readonly model: string; readonly state: 'forgotten' };

export type ForkExplanation = {
  readonly session: string;
  readonly compactionId: string;
  readonly revision: number;
  readonly at: string;
  readonly kind: 'fork';
  readonly standing: Standing;
  readonly from: ForkSource;
  readonly summaryTokens: number;
};

export type ForkSessionRequest = {
  /** ID of the new session. */
  readonly as: string;
  /** A revision, a time or a request ID whose context the copy gets; the newest by default. */
  readonly at?: AsOf;
};

export type ForkSource = { readonly sessionId: string; readonly revision: number };

export type Forked = {
  readonly session: string;
  readonly from: ForkSource;
  readonly messages: number;
  readonly occupancy: number;
};

/** A model with the seller and the rules that resolved its name. */
export type FoundModel = {
  readonly id: string;
  readonly vendor: string;
  readonly aliases: readonly string[];
  readonly window: number;
  readonly inputMax?: number;
  readonly outputMax?: number;
  readonly tokenizer?: string;
  readonly lifecycle: ModelLifecycle;
  /** Oldest first. */
  readonly prices: readonly ModelPrice[];
  readonly evidence: ModelEvidence;
  /** Source of the newest change. */
  readonly origin: ModelOrigin;
  readonly seller: 'vendor' | 'bedrock' | 'vertex' | 'router';
  /** The rules that resolved the name; empty for an id or alias. */
  readonly rules: readonly string[];
};

export type GetContextQuery = {
  /** Provider format of the request. */
  readonly format?: WireFormat;
  /** A revision or a time (ISO 8601) for the context at that state; the ID of a request for that request. */
  readonly asOf?: AsOf;
};

export type GetMessageQuery = {
  /** Only the block with this index, from 0. */
  readonly block?: number;
  /** Only the result of the tool call with this ID. */
  readonly call?: string;
  /** With a block or a call: first byte of its text in UTF-8, from 0. */
  readonly byte?: number;
  /** Number of bytes; 65,536 by default. */
  readonly bytes?: number;
  /** With a block or a call: first line of its text, from 1. */
  readonly line?: number;
  /** Number of lines; 500 by default. */
  readonly lines?: number;
};

export type GetOccupancyQuery = {
  /** The first revision; 0 by default. */
  readonly from?: number;
  /** The last revision; the newest by default. */
  readonly to?: number;
  /** Maximum number of points. */
  readonly bins?: number;
  /** Axis of the bins: revisions, or time of activity without idle times. */
  readonly axis?: 'revision' | 'time';
  /** For bins of time: minimum length of a pause that counts as idle. */
  readonly idleAfterSeconds?: number;
};

export type GetOwnPromptQuery = {
  /** The newest version by default. */
  readonly version?: number;
};

export type GetOwnPromptResponse = {
  readonly name: string;
  readonly version: number;
  /** SHA-256 of the texts as canonical JSON. */
  readonly hash: string;
  readonly lengths: Readonly<Partial<Record<PromptPart, number>>>;
  readonly registeredBy: string;
  readonly registeredAt: string;
  readonly texts: Readonly<Partial<Record<PromptPart, string>>>;
};

export type GetRetentionMapQuery = {
  /** The first turn. */
  readonly from?: number;
  /** Maximum number of turns. */
  readonly turns?: number;
};

export type GetSignInResponse = { readonly signedIn: KeyHolder | null };

export type GivenModelEvidence = {
  readonly source: string;
  readonly asOf: string;
  readonly confidence: ModelConfidence;
  readonly note?: string;
};

/** US dollars per million tokens. */
export type GivenModelRates = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
};

export type HeldSession = {
  readonly session: string;
  /** Oldest first. */
  readonly holds: readonly LegalHold[];
  readonly period: RetentionPeriod | null;
};

/** The end of a hold on automatic compactions: the end of the turn, or a release. */
export type HoldUntil = 'turn-end' | 'released';

/** A pause between two events, which is left out of the time of activity. */
export type IdleTime = {
  /** Revision of the first event after it. */
  readonly revision: number;
  readonly from: string;
  readonly to: string;
  /** Milliseconds of activity before it. */
  readonly activeMs: number;
};

export type ImportResult = {
  readonly sessions: readonly ImportedSession[];
  /** The first unusable lines, at most 1,000. */
  readonly skipped: readonly SkippedLine[];
  /** Number of all unusable lines. */
  readonly skippedLines: number;
};

export type ImportTranscriptQuery = {
  /** File name; the ID of a session whose transcript has none. */
  readonly name?: string;
  /** Profile of the sessions: a name, or a profile as JSON. */
  readonly profile?: string;
  /** Window of the sessions in tokens; their model’s by default. */
  readonly window?: number;
  /** Model of the sessions; the transcript’s by default. */
  readonly model?: string;
  /** Agent program; the format’s by default. */
  readonly agent?: string;
  /** Project of the sessions; the transcript’s by default. */
  readonly project?: string;
  /** name=value; a label each where it is given several times. */
  readonly label?: string | readonly string[];
  /** Data subject of the messages; may be repeated. */
  readonly subject?: string | readonly string[];
};

export type Imported = {
  /** The format of the transcript, which names the agent. */
  readonly format: string;
  readonly trigger?: 'automatic' | 'manual';
  /** Time by the agent’s clock. */
  readonly at?: string;
  /** Tokens as the agent counted them. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly by: {
    readonly name: string;
    readonly model?: string;
    readonly promptVersion: string;
    readonly deterministic: boolean;
  };
};

/** A session after its import, with counts of the whole session. */
export type ImportedSession = {
  readonly session: string;
  readonly format: TranscriptFormat;
  readonly messages: number;
  readonly turns: number;
  readonly toolCalls: number;
  /** Counted tokens of all messages ever appended. */
  readonly tokens: number;
  readonly compactions: number;
};

/** A time, or a day: its midnight in UTC. */
export type Instant = string;

export type InvalidRequestFacts = {
  /** At most 20. */
  readonly faults?: readonly Fault[];
};

/** A new API key. */
export type IssuedKey = {
  readonly tenant: string;
  /** The key, which only this answer shows. */
  readonly key: string;
  readonly keyId: string;
  readonly role: KeyRole;
  /** Permissions of the role and granted ones. */
  readonly permissions: readonly KeyPermission[];
  /** First characters of the key. */
  readonly prefix: string;
  readonly label: string;
  readonly expiresAt: string | null;
};

/** Number of facts in the covered messages, and number of them that the context still contains. */
export type Kept = { readonly kept: number; readonly of: number };

/** Tenant, role and permissions of an API key. */
export type KeyHolder = {
  readonly tenant: string;
  readonly actor: string;
  readonly role: KeyRole;
  readonly permissions: readonly KeyPermission[];
};

/** Right of a key besides its role: `content:read` shows text of users and models. */
export type KeyPermission = 'content:read' | 'retention:shorten';

/** Operations that a key may call. */
export type KeyRole = 'agent' | 'operator' | 'auditor' | 'privacy' | 'admin';

/** Handling of a request that does not fit even after a compaction: `off` is an error; `on` omits tool outputs, then old messages, then parts of the newest results; `truncate` also shortens other messages, including the user’s. */
export type LadderPolicy = 'off' | 'on' | 'truncate';

/** Omissions from a request that has to fit without a compaction; each rung includes the rungs before it. */
export type LadderRung = 'mask-outputs' | 'drop-groups' | 'newest-group' | 'truncate-messages';

/** Number of consecutive requests that needed the ladder, and the rung of the newest. */
export type LadderUse = { readonly requests: number; readonly rung: LadderRung };

/** A hold on a session: while it lasts, nothing of it is erased. */
export type LegalHold = {
  readonly matter: string;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
};

export type LegalHolds = {
  /** Oldest first. */
  readonly holds: readonly LegalHold[];
};

export type ListAuditReadsQuery = {
  /** `audit`: reads of facts; `content`: reads of text. */
  readonly kind?: 'audit' | 'content';
  /** The session whose text was read. */
  readonly session?: string;
  /** The reader. */
  readonly actor?: string;
  /** `next` of the previous page, unchanged. */
  readonly cursor?: string;
  /** Maximum number of rows. */
  readonly limit?: number;
};

export type ListCompactionsQuery = {
  /** Maximum number of items. */
  readonly limit?: number;
  /** `next` of the previous page; absent for the first page. */
  readonly cursor?: string;
};

export type ListDeliveriesQuery = {
  /** Maximum number of items. */
  readonly limit?: number;
  /** `next` of the previous page; absent for the first page. */
  readonly cursor?: string;
  /** `dead` for dead letters. */
  readonly state?: DeliveryState;
};

export type ListErasuresResponse = {
  readonly erasures: readonly Erasure[];
  /** 2 if another person approves each erasure. */
  readonly people: 1 | 2;
};

export type ListHeldSessionsQuery = {
  /** Only holds for this matter. */
  readonly matter?: string;
  /** Maximum number of items. */
  readonly limit?: number;
  /** `next` of the previous page; absent for the first page. */
  readonly cursor?: string;
};

export type ListKeysResponse = { readonly keys: readonly ListedKey[] };

export type ListMessagesQuery = {
  /** First revision. */
  readonly from?: number;
  /** Maximum number of messages. */
  readonly limit?: number;
};

export type ListModelsResponse = readonly Model[];

export type ListOwnPromptsResponse = { readonly prompts: readonly OwnPrompt[] };

export type ListProfilesResponse = readonly ProfileSummary[];

export type ListProjectionsResponse = readonly ProjectionStatus[];

export type ListPromptsResponse = {
  /** Version of the whole set of prompts, which events record as `promptVersion`. */
  readonly version: string;
  readonly prompts: readonly Prompt[];
};

export type ListSecretsResponse = { readonly secrets: readonly NamedSecret[] };

export type ListSessionEventsQuery = {
  /** First revision. */
  readonly from?: number;
  /** Maximum number of events; all by default. */
  readonly limit?: number;
};

export type ListSessionsQuery = {
  /** Sessions of this agent program. */
  readonly agent?: string;
  /** Sessions of this project. */
  readonly project?: string;
  /** Sessions with this label `user`. */
  readonly user?: string;
  /** Sessions with this label `customer`. */
  readonly customer?: string;
  /** name or name=value; each of several where it is given several times. */
  readonly label?: string | readonly string[];
  readonly state?: BudgetState;
  /** Minimum size of the next request, in billed tokens. */
  readonly minOccupancy?: number;
  /** Words in the title, in any case. */
  readonly title?: string;
  /** `-` sorts newest or largest first. */
  readonly sort?: SessionSort;
  /** Maximum number of items. */
  readonly limit?: number;
  /** `next` of the previous page, with the same sort. */
  readonly cursor?: string;
};

export type ListStoppedStreamsQuery = {
  /** Only streams of this projection. */
  readonly projection?:
    | 'sessions'
    | 'compactions'
    | 'compaction_turns'
    | 'audit_events'
    | 'usage_by_day'
    | 'tenants'
    | 'api_keys'
    | 'audit_reads';
  /** `next` of the previous page; absent for the first page. */
  readonly after?: string;
  /** Maximum number of streams; a page may exceed it, since it lists all streams of an event. */
  readonly limit?: number;
};

export type ListTenantsQuery = {
  /** `next` of the previous page; absent for the first page. */
  readonly after?: string;
  /** Maximum number of tenants. */
  readonly limit?: number;
};

export type ListWebhooksResponse = { readonly webhooks: readonly Webhook[] };

/** An API key, without the key itself. */
export type ListedKey = {
  readonly keyId: string;
  readonly role: KeyRole;
  /** Permissions of the role and granted ones. */
  readonly permissions: readonly KeyPermission[];
  /** First characters of the key. */
  readonly prefix: string;
  readonly label: string;
  readonly expiresAt: string | null;
  readonly state: 'active' | 'revoked' | 'expired';
  readonly issuedAt: string;
  /** The actor. */
  readonly issuedBy: string;
  readonly replacedBy: string | null;
  readonly rotation: {
    /** The actor. */
    readonly by: string;
    readonly at: string;
  } | null;
  readonly revocation: {
    /** The actor. */
    readonly by: string;
    readonly at: string;
    readonly reason: string;
  } | null;
  /** Time of the last use, to the minute. */
  readonly lastUsedAt: string | null;
};

/** An original message with its place in the log. */
export type ListedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly role: Role;
  readonly synthetic?: 'continuation' | 'restated';
  readonly countedTokens: number;
  /** As it was appended. */
  readonly content: readonly Block[];
  readonly erased?: Erased;
};

export type ListedTenant = {
  readonly tenant: string;
  readonly name: string;
  /** `null` for the operator’s tenant, which every installation has. */
  readonly registeredAt: string | null;
  /** The actor. */
  readonly registeredBy: string | null;
  readonly limits: TenantLimits;
};

export type LiveFinding = {
  readonly part: 'log' | 'events' | 'rows';
  readonly outcome: 'invalid' | 'incomplete' | 'unknown-key' | 'malformed';
  readonly tenant: string | null;
  readonly detail: string;
};

export type LiveReport = {
  readonly outcome: 'valid' | 'invalid' | 'incomplete' | 'unknown-key' | 'malformed';
  readonly logs: number;
  readonly leaves: number;
  /** Events that match their log. */
  readonly events: number;
  /** Events that no signed checkpoint contains yet. */
  readonly newerEvents: number;
  readonly tables: number;
  readonly rows: number;
  /** At most 1,000. */
  readonly findings: readonly LiveFinding[];
  readonly findingCount: number;
  /** The newest head of each log without a finding: store it for the next verification. */
  readonly heads: readonly VerifiedHead[];
};

export type LogWitness = {
  /** Name in the policy. */
  readonly name: string;
  /** A vkey (C2SP signed-note). */
  readonly key: string;
  /** Base URL; `add-checkpoint` is appended. */
  readonly url: string;
  /** Leaves of the tree that it cosigned last. */
  readonly size: number | null;
  readonly cosignedAt: string | null;
  /** Why it has not cosigned a newer tree. */
  readonly problem: string | null;
  readonly failingSince: string | null;
};

export type LogWitnesses = {
  /** The log's own keys as vkeys, which its witnesses need. */
  readonly keys: readonly string[];
  /** Leaves of the newest checkpoint. */
  readonly size: number;
  /** Witness or group of the policy that must cosign, or `none`. */
  readonly quorum: string;
  /** Leaves of the newest checkpoint that the quorum has cosigned; `null` without one. */
  readonly witnessedSize: number | null;
  readonly witnesses: readonly LogWitness[];
};

/** An event of a session as it was recorded; `docs/guides/event-log.md` lists the types and their data. */
export type LoggedEvent = {
  readonly revision: number;
  readonly type: EventType;
  readonly id: string;
  readonly recordedAt: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly data: JsonObject;
};

/** Lost names, which are text of the session, most important first; `unlisted` counts the others. */
export type Lost = {
  readonly names: readonly {
    readonly name: string;
    readonly kind: 'identifiers' | 'paths' | 'errors' | 'numbers';
    /** The last covered message that contained it. */
    readonly messageId: string;
  }[];
  readonly directives: readonly { readonly messageId: string; readonly sentence: string }[];
  readonly unlisted: number;
};

/** A message in Anthropic’s form. */
export type Message = {
  /** printable ASCII without blanks, at most 200. */
  readonly id?: string;
  readonly role: Role;
  readonly content: string | readonly Block[];
  readonly model?: string;
  /** Data subjects of the message; by default those of the previous message of its turn. */
  readonly subjects?: readonly string[];
  /** For assistant messages: requests and summarizers omit the reasoning after its turn. */
  readonly reasoning?: 'disposable';
};

/** `verbatim`, or why requests omit the message: `snipped`, `collapsed`, or `dropped` by the newest ladder rung. */
export type MessageRule = 'verbatim' | 'snipped' | 'collapsed' | 'dropped';

/** The rule that removed a part of a message: a stage of the profile, the reasoning policy, or a ladder rung. */
export type MessageStage =
  | 'offload-results'
  | 'snip'
  | 'micro'
  | 'prune'
  | 'drop-tool-outputs'
  | 'collapse'
  | 'drop-reasoning'
  | 'compose'
  | 'mask-outputs'
  | 'drop-groups'
  | 'newest-group'
  | 'truncate-messages';

export type MessageWindow = {
  /** Newest revision of the session. */
  readonly revision: number;
  /** Oldest first. */
  readonly items: readonly ListedMessage[];
  /** `from` of the next window; `null` at the end of the session. */
  readonly next: number | null;
};

/** A model; absent members are unknown. */
export type Model = {
  readonly id: string;
  readonly vendor: string;
  readonly aliases: readonly string[];
  readonly window: number;
  readonly inputMax?: number;
  readonly outputMax?: number;
  readonly tokenizer?: string;
  readonly lifecycle: ModelLifecycle;
  /** Oldest first. */
  readonly prices: readonly ModelPrice[];
  readonly evidence: ModelEvidence;
  /** Source of the newest change. */
  readonly origin: ModelOrigin;
};

/** `high`: stated by the vendor. `medium`: one source. `low`: contradictory or unchecked sources. */
export type ModelConfidence = 'high' | 'medium' | 'low';

/** Source and reliability of a record’s figures. */
export type ModelEvidence = {
  /** A page, a package, an endpoint, or the person who stated it. */
  readonly source: string;
  /** The date of the source, such as `2026-11-21`. */
  readonly asOf: string;
  readonly confidence: ModelConfidence;
  /** The uncertain part. */
  readonly note?: string;
};

export type ModelLifecycle = 'active' | 'deprecated' | 'retired';

export type ModelOrigin = 'shipped' | 'refreshed' | 'operator' | 'tenant';

/** Other values of a profile’s fields for some models. */
export type ModelOverrides = {
  /** Name of the model; `*` stands for any characters. */
  readonly model: string;
  /** Share of the window at which the state becomes warning. */
  readonly warnAtShare?: number;
  /** Share of the window at which the state becomes critical. */
  readonly requireAtShare?: number;
  /** Share of the window at which the state becomes blocking. */
  readonly blockAtShare?: number;
  /** Trigger: the occupancy reaches triggerAtShare, or exceeds the window less triggerReserveTokens, or exceeds the usable budget. */
  readonly triggerBy?: TriggerMeasure;
  /** Share of the window at which an automatic compaction is requested. */
  readonly triggerAtShare?: number;
  /** Tokens of the window that stay free if triggerBy is reserve; half of the window at most. */
  readonly triggerReserveTokens?: number;
  /** Messages since the last compaction that trigger one at any occupancy; 0 disables. */
  readonly triggerMessages?: number;
  /** Turns since the last compaction that trigger one; 0 disables. */
  readonly triggerTurns?: number;
  /** Tool calls since the last compaction that trigger one; 0 disables. */
  readonly triggerToolCalls?: number;
  /** Minutes since the last compaction after which the next check triggers one; 0 disables. */
  readonly triggerMinutes?: number;
  /** Share of the window from which an idle session is compacted. */
  readonly idleAtShare?: number;
  /** Newest turns that stay verbatim. */
  readonly keepRecentTurns?: number;
  /** Newest tokens that stay if keepBy is tokens; 0 keeps only the newest atomic group. */
  readonly keepRecentTokens?: number;
  /** Target size of a compaction as a share of its trigger. */
  readonly targetShare?: number;
  /** Maximum of tokens reserved for the answer. */
  readonly maxOutputTokens?: number;
  /** The same as a share of the window; the smaller value applies. */
  readonly maxOutputShare?: number;
  /** Maximum of tokens of a summary. */
  readonly maxSummaryTokens?: number;
  /** The same as a share of the window; the smaller value applies. */
  readonly maxSummaryShare?: number;
};

/** The prices of a model from one day until the next list. */
export type ModelPrice = {
  /** The first day, in UTC; absent for the model’s first prices. */
  readonly from?: string;
  readonly rates: ModelRates;
  /** Other rates for prompts above a number of tokens; they apply to the whole prompt. */
  readonly longPrompt?: { readonly above: number; readonly rates: ModelRates };
  /** Discount for batch requests, in hundredths of the prices; absent without a discount or if unknown. */
  readonly batchPercent?: number;
  readonly evidence: ModelEvidence;
};

/** US dollars per million tokens, as vendors publish them. */
export type ModelRates = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
};

/** A secret, without its value. */
export type NamedSecret = {
  readonly name: string;
  readonly createdAt: string;
  /** Time of the last change of its value. */
  readonly changedAt: string;
  /** Time of the last use, to the minute. */
  readonly lastUsedAt: string | null;
};

/** Number of changes of one kind by composing; for omitted reasoning also the cause. */
export type NoteCount = {
  readonly action: 'answered-open-call' | 'quoted-stray-block' | 'renamed-call' | 'omitted-reasoning';
  readonly reason?: ReasoningOmission;
  readonly count: number;
};

/** An event that stands out in a session’s occupancy; members that it does not state are `null`. */
export type OccupancyMark = {
  readonly revision: number;
  readonly at: string;
  readonly type: EventType;
  readonly compactionId: string | null;
  readonly trigger: string | null;
  readonly profile: string | null;
  /** Format of the transcript whose agent compacted; `null` for compactions of this service. */
  readonly importedFrom: string | null;
  readonly billedBefore: number | null;
  readonly billedAfter: number | null;
  readonly countedBefore: number | null;
  readonly countedAfter: number | null;
  readonly coveredMessages: number | null;
  readonly fidelity: number | null;
  readonly durationMs: number | null;
  /** Billionths of a US dollar. */
  readonly nanoUsd: number | null;
  /** Given by a caller, or the rule that applied. */
  readonly reason: string | null;
  /** The erasure, of `ContentErased`. */
  readonly erasure: string | null;
};

/** Occupancy at the end of a bin, in billed tokens. */
export type OccupancyPoint = {
  /** Newest revision of the bin that states an occupancy. */
  readonly revision: number;
  readonly at: string;
  /** Billed tokens of the next request; the parts below add up to it. */
  readonly occupancy: number;
  /** Smallest occupancy of the bin. */
  readonly min: number;
  /** Largest occupancy of the bin. */
  readonly max: number;
  /** System prompt and tools. */
  readonly system: number;
  readonly pinned: number;
  readonly summary: number;
  /** Everything else: the messages. */
  readonly tail: number;
  /** Tokens; 0 is unlimited. */
  readonly window: number;
  /** Milliseconds of activity since the first event of the range; only with bins of time. */
  readonly activeMs?: number;
};

export type OccupancySeries = {
  readonly session: string;
  readonly revision: number;
  readonly from: number;
  readonly to: number;
  /** Width of a bin in revisions, or in milliseconds of activity. */
  readonly width: number;
  /** Only over time. */
  readonly activity?: {
    readonly activeMs: number;
    /** The longest 200, oldest first. */
    readonly idle: readonly IdleTime[];
  };
  /** Billed tokens of the next request now. */
  readonly occupancy: number;
  /** Tokens; 0 is unlimited. */
  readonly window: number;
  /** In force now; `null` without a window. */
  readonly thresholds: Thresholds | null;
  /** Oldest first; bins without a stated occupancy are left out. */
  readonly points: readonly OccupancyPoint[];
  /** Compactions and other events that stand out: the newest 2,000 of the range. */
  readonly marks: readonly OccupancyMark[];
  readonly omittedMarks: number;
};

/** The body of `POST /v1/chat/completions`. */
export type OpenAiChatRequest = {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly max_completion_tokens: number;
};

/** The body of `POST /v1/responses`. The provider must not store it (`store: false`): the session holds the history. */
export type OpenAiResponsesRequest = {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly include?: readonly string[];
  readonly store: false;
  readonly max_output_tokens: number;
};

export type OpenSessionRequest = {
  /** letters, digits and _ . : -, at most 128. */
  readonly session: string;
  /** Model of its requests. */
  readonly model?: string;
  /** Window in tokens, 0 is unlimited; the model’s by default. */
  readonly window?: number;
  readonly profile?: ProfileSource;
  /** Its system prompt. */
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  /** Its title. */
  readonly title?: string;
  /** Agent program, such as claude-code. */
  readonly agent?: string;
  /** A working folder, a repository or a name. */
  readonly project?: string;
  /** ID of the session’s user, stored as the label `user`. */
  readonly user?: string;
  /** ID of the session’s customer, stored as the label `customer` and as a data subject of all its content. */
  readonly customer?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Data subjects of all its content, such as customers. */
  readonly subjects?: readonly string[];
  /** Parent session. */
  readonly parent?: string;
  /** Task of a child session, which is pinned. */
  readonly mandate?: string;
};

export type Opened = { readonly session: string; readonly model: string; readonly limits: SessionLimits };

/** A tool output that requests contain reduced or not at all: the rule, and the compaction that dropped it, if this session’s log has it. */
export type OutputGone = {
  readonly callId: string;
  readonly rule: PartRule;
  readonly droppedBy: string | null;
};

export type OverflowAnswer =
  | { readonly outcome: 'compacted'; readonly compactionId: string }
  | { readonly outcome: 'ladder' }
  | { readonly outcome: 'not-an-overflow' };

/** An immutable version of a tenant’s prompt. */
export type OwnPrompt = {
  readonly name: string;
  readonly version: number;
  /** SHA-256 of the texts as canonical JSON. */
  readonly hash: string;
  readonly lengths: Readonly<Partial<Record<PromptPart, number>>>;
  readonly registeredBy: string;
  readonly registeredAt: string;
};

/** SHA-256, hexadecimal, of the parts of a request that are not its history, as they were in force for it. */
export type PartDigests = {
  readonly systemPrompt: string;
  /** Digest of the JSON of the tools. */
  readonly tools: string;
  /** Digest of the contributions’ names and texts as JSON; absent without contributions. */
  readonly contributions?: string;
  /** Digest of the gateway client’s request without its history; absent without a client. */
  readonly client?: string;
};

/** The retention of one kind of content in a turn: the rule with the highest loss of all its parts; `none` without such content. Tool outputs: `offloaded` leaves a preview; `cleared` (micro), `pruned` (prune), `dropped` (a compaction) and `masked` (the ladder, in the newest request) leave a line; `cut` (the ladder) leaves head and tail. Reasoning: `dropped` by the policy or the caller, permanently: no request and no summarizer has it. `omitted`: its provider would reject it, so that requests omit it; the log keeps it. `cleared-by-provider`: requests carry it, and the provider removed it from the newest one. `snipped`, `collapsed`: removed with its message. */
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

/** Content that no compaction touches, as it was pinned. */
export type Pin = {
  readonly pinId: string;
  readonly kind: PinKind;
  readonly text: string;
  /** Counted tokens of the text as requests carry it. */
  readonly tokens: number;
};

export type PinContentRequest = {
  readonly kind?: PinKind;
  /** The content. */
  readonly text: string;
};

export type PinContentResponse = readonly Pin[];

/** A constraint; the mandate of a child session; ids of running children; the current plan. */
export type PinKind = 'constraint' | 'mandate' | 'children' | 'plan';

export type PivotKind = 'compaction' | 'reset' | 'fork';

export type PlanCompactionRequest = {
  /** A policy in place of the session’s. */
  readonly profile?: ProfileSource;
};

/** Sizes of a plan, for comparisons. */
export type PlanSizes = {
  readonly cut: Cut;
  /** The stages that will run. */
  readonly stages: readonly StageName[];
  /** Counted tokens of the next request. */
  readonly countedBefore: number;
  /** Maximum length of a worthwhile summary, in counted tokens. */
  readonly countedSummaryLimit: number;
  readonly splitTurn: boolean;
  readonly covered: { readonly messages: number; readonly tokens: number };
  readonly retained: number;
  readonly droppedOutputs: { readonly outputs: number; readonly freed: number };
  /** Maximum of counted tokens after the compaction. */
  readonly countedAfterMax: number;
  readonly billedBefore: number;
  readonly billedAfterMax: number;
  /** Number of turns by rule. */
  readonly turns: {
    readonly summarized: number;
    readonly verbatim: number;
    readonly split: number;
    readonly snipped: number;
    readonly collapsed: number;
    readonly dropped: number;
  };
};

/** The public form of a plan: sizes and IDs, no content; `reason` replaces a missing plan. */
export type PlanView =
  | {
      readonly plan: {
        readonly countedSummaryLimit: number;
        readonly retention: readonly TurnRetention[];
        readonly protection?: ProtectionYield;
        readonly targetRaised?: RaisedTarget;
        readonly profile: string;
        readonly stages: readonly StageName[];
        readonly cut: Cut;
        readonly splitTurn: boolean;
        readonly covered: {
          readonly messages: number;
          readonly from: string | null;
          readonly to: string | null;
        };
        readonly retained: number;
        readonly droppedOutputs: number;
        readonly countedBefore: number;
        readonly billedBefore: number;
        readonly billedTarget: number;
        readonly target: number;
      };
    }
  | { readonly plan: null; readonly reason: SkipReason };

/** A compaction policy. Each session records every field of its policy. */
export type Profile = {
  /** Name of the profile. */
  readonly name: string;
  /** Purpose of the profile. */
  readonly description: string;
  /** Start of compactions: automatic at the trigger, authorized only when the user asks, off never. */
  readonly mode: ProfileMode;
  /** Share of the window at which the state becomes warning. */
  readonly warnAtShare: number;
  /** Share of the window at which the state becomes critical. */
  readonly requireAtShare: number;
  /** Share of the window at which the state becomes blocking. */
  readonly blockAtShare: number;
  /** Time of the trigger check: before every request, between steps, or between turns. */
  readonly triggerCheck: 'request' | 'step' | 'turn';
  /** Trigger: the occupancy reaches triggerAtShare, or exceeds the window less triggerReserveTokens, or exceeds the usable budget. */
  readonly triggerBy: TriggerMeasure;
  /** Share of the window at which an automatic compaction is requested. */
  readonly triggerAtShare: number;
  /** Tokens of the window that stay free if triggerBy is reserve; half of the window at most. */
  readonly triggerReserveTokens: number;
  /** Response to a manual compaction during a turn. */
  readonly explicitMidTurn: 'run' | 'refuse';
  /** Minutes without an event after which an idle session is compacted; 0 disables. */
  readonly idleAfterMinutes: number;
  /** Share of the window from which an idle session is compacted. */
  readonly idleAtShare: number;
  /** Whether the caller also uses the provider’s context management. */
  readonly providerContextManagement: 'none' | 'configured';
  /** Messages since the last compaction that trigger one at any occupancy; 0 disables. */
  readonly triggerMessages: number;
  /** Turns since the last compaction that trigger one; 0 disables. */
  readonly triggerTurns: number;
  /** Tool calls since the last compaction that trigger one; 0 disables. */
  readonly triggerToolCalls: number;
  /** Minutes since the last compaction after which the next check triggers one; 0 disables. */
  readonly triggerMinutes: number;
  /** Overrides for models: the first entry that matches the session’s model applies. */
  readonly perModel: readonly ModelOverrides[];
  /** Counter of requests near the limit: this service, or the provider of the model if it has a counting endpoint. */
  readonly tokenCounting: 'estimate' | 'provider';
  /** Window in tokens for models whose window is unknown; refuse rejects such sessions. */
  readonly unknownWindow: number | 'refuse';
  /** Unit of the retained tail. */
  readonly keepBy: 'turns' | 'tokens';
  /** Newest turns that stay verbatim. */
  readonly keepRecentTurns: number;
  /** Newest tokens that stay if keepBy is tokens; 0 keeps only the newest atomic group. */
  readonly keepRecentTokens: number;
  /** Response to protected messages larger than the target: yields shrinks them, strict refuses the compaction. */
  readonly protection: 'yields' | 'strict';
  /** Target size of a compaction as a share of its trigger. */
  readonly targetShare: number;
  /** Maximum size after a compaction as a share of the size before it. */
  readonly maxRemainingShare: number;
  /** Maximum of tokens reserved for the answer. */
  readonly maxOutputTokens: number;
  /** The same as a share of the window; the smaller value applies. */
  readonly maxOutputShare: number;
  /** Maximum of tokens of a summary. */
  readonly maxSummaryTokens: number;
  /** The same as a share of the window; the smaller value applies. */
  readonly maxSummaryShare: number;
  /** Minimum of tokens for an answer; a request with less room is shortened. */
  readonly minOutputTokens: number;
  /** The same as a share of the window; the smaller value applies. */
  readonly minOutputShare: number;
  /** Stages in order; each runs only if needed. */
  readonly stages: readonly StageName[];
  /** Tools whose results all stages keep until a summary covers them; case-insensitive. */
  readonly exemptTools: readonly string[];
  /** offload-results: maximum of tokens of one result. */
  readonly maxResultTokens: number;
  /** offload-results: maximum of tokens of all results of one message. */
  readonly maxResultTokensPerMessage: number;
  /** offload-results: maximum of tokens of the preview that stays of a result. */
  readonly previewTokens: number;
  /** snip and micro: share of the window at which they start. */
  readonly viewAtShare: number;
  /** snip: newest steps that stay, also within a turn. */
  readonly snipKeepSteps: number;
  /** micro: newest tool results that stay. */
  readonly microKeepResults: number;
  /** prune: tokens of the newest tool outputs that stay. */
  readonly pruneKeepTokens: number;
  /** prune: minimum gain in tokens. */
  readonly pruneMinGainTokens: number;
  /** prune: newest turns that stay unchanged. */
  readonly pruneKeepTurns: number;
  /** offload-results: further tools whose results stay in requests, such as those that read files, so that agents need not read a file twice; case-insensitive. */
  readonly offloadExemptTools: readonly string[];
  /** offload-results: share of the window at which a result, or all results of one message, are offloaded despite offloadExemptTools. */
  readonly offloadExemptMaxShare: number;
  /** snip and micro: share of the window that the newest messages keep. */
  readonly viewKeepShare: number;
  /** snip: newest turns that stay even without tool calls. */
  readonly snipKeepTurns: number;
  /** Whether requests declare the tool recall_history, with which the model reads omitted messages. */
  readonly recall: boolean;
  /** Treatment of tool outputs outside the protected turns. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** Treatment of reasoning outside the protected turns. summarize: the summarizer reads it when its turn is compacted. drop-when-compacted: it stays in requests until then, and no summarizer reads it. drop-beyond-protected: it leaves requests as soon as a compaction is due, and no summarizer reads it. */
  readonly reasoning: ReasoningPolicy;
  /** Summarizer: extractive calls no model, default is the configuration of the tenant or the process. */
  readonly summarizer: string;
  /** Input of a model: a transcript, or the session’s own request followed by the task, which uses the prompt cache. */
  readonly summaryInput: 'transcript' | 'prefix';
  /** Whether facts from the log, extracted without a model, complete a model’s summary. */
  readonly hybrid: boolean;
  /** Whether the provider’s compaction is also requested and recorded beside the summary. */
  readonly nativeCompaction: boolean;
  /** Response to a summary with quotes of the user that are not in the log. */
  readonly unverifiedQuotes: 'flag' | 'reject';
  /** Whether facts that the summary lost and the retained messages refer to are appended to it. */
  readonly factList: boolean;
  /** Tokens of the user’s messages, newest first, that stay verbatim after a summary; half of the summary’s budget at most. */
  readonly keepUserMessageTokens: number;
  /** Prompt of model summarizers: default is the built-in prompt; a name without a version is the newest version. */
  readonly prompt: string;
  /** Content of covered messages that follows a summary, in this order. */
  readonly reinject: readonly ('plan' | 'skills' | 'files')[];
  /** reinject: paths of files, with * for any characters. */
  readonly reinjectFiles: readonly string[];
  /** reinject: maximum of counted tokens, within the target; 0 disables. */
  readonly maxReinjectTokens: number;
  /** Attempts of one compaction before it fails. */
  readonly maxAttempts: number;
  /** Whether the service appends a message to continue work that an automatic compaction interrupted. */
  readonly autoContinue: boolean;
  /** Consecutive compactions that fail or gain nothing before automatic ones stop. */
  readonly breakerFailures: number;
  /** Turns after which one automatic compaction is tried again; 0 disables. */
  readonly breakerCooldownTurns: number;
  /** Minutes after which one automatic compaction is tried again; 0 disables. */
  readonly breakerCooldownMinutes: number;
  /** Response to a request that no compaction makes fit: the error, the ladder, or the ladder that also shortens other messages, including the user’s. */
  readonly ladder: LadderPolicy;
};

export type ProfileExplanation = { readonly profile: string; readonly fields: readonly ExplainedField[] };

/** `automatic` compacts when a threshold is crossed; `authorized` only on the user’s word; `off` never: compactions are refused, no stage runs, and the caller has to handle a request that does not fit. */
export type ProfileMode = 'automatic' | 'authorized' | 'off';

/** A compaction policy: the name of a profile, or a profile object. */
export type ProfileSource = string | JsonObject;

export type ProfileSummary = {
  readonly stages: readonly StageName[];
  readonly name: string;
  readonly mode: ProfileMode;
  readonly description: string;
};

/** The rules that a field belongs to: the headings under which the guide to compaction explains them. */
export type ProfileTheme = 'summary' | 'cut' | 'stages' | 'name' | 'budget' | 'triggers' | 'size' | 'failure';

export type ProjectionStatus = {
  readonly projection: string;
  /** Position in the log up to which the rows are complete, inclusive. */
  readonly position: string | null;
  readonly events: number;
  readonly updatedAt: string | null;
  /** Streams whose rows are stopped, as `GET /v1/projections/stopped` lists them; at most 10,000. */
  readonly stoppedStreams: number;
};

/** A built-in prompt. */
export type Prompt = {
  readonly name: string;
  /** First twelve hexadecimal digits of the SHA-256 of its text. */
  readonly version: string;
  readonly text: string;
};

/** The effect on the provider’s prompt cache, in billed tokens of requests. */
export type PromptCacheEffect = {
  /** Unchanged beginning of the request, tools and system prompt. */
  readonly kept: number;
  /** The rest of the first request afterwards, which the provider caches anew. */
  readonly rewritten: number;
  /** Tokens that the compaction saves in each later request. */
  readonly savedPerRequest: number;
  /** Number of requests after which the savings exceed the cost of caching anew; `null` without known prices. */
  readonly breakEvenRequests: number | null;
};

export type PromptPart = 'system' | 'transcript' | 'prefix' | 'sections';

export type ProtectedPart = { readonly wanted: number; readonly kept: number | null };

/** The kept part of the protected content, if it cannot be kept in full. Sizes are counted tokens. */
export type ProtectionYield = {
  readonly by: 'turns' | 'tokens';
  /** Protected turns or tokens. */
  readonly wanted: number;
  readonly kept: number;
  /** The size of the context with all protected content, and the allowed maximum. */
  readonly countedUnreduced: number;
  readonly countedLimit: number;
  readonly reason: string;
};

export type Provenance =
  | {
      readonly session: string;
      readonly message: string;
      /** Revision of the session that this describes. */
      readonly revision: number;
      /** Purpose of a message that the engine wrote in the user’s role. */
      readonly synthetic?: 'continuation' | 'restated';
      /** How its content was erased. */
      readonly erased?: Erased;
      readonly status: 'in-full' | 'in-part' | 'omitted';
      /** Why no compaction covers it. */
      readonly reason: 'system' | 'carried' | 'not-compacted' | 'after-the-cut';
      readonly appendedAt: number;
      readonly turn: number;
      /** Counted tokens of the original. */
      readonly tokens: number;
      readonly rule: MessageRule;
      /** Reduced outputs of its calls, or in it. */
      readonly outputs: readonly OutputGone[];
      readonly reasoning: ReasoningPlace;
      /** Everything that removes a part of it. */
      readonly stages: readonly MessageStage[];
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Revision of the session that this describes. */
      readonly revision: number;
      /** Purpose of a message that the engine wrote in the user’s role. */
      readonly synthetic?: 'continuation' | 'restated';
      /** How its content was erased. */
      readonly erased?: Erased;
      readonly status: 'covered' | 'cleared';
      readonly appendedAt: number;
      readonly chain: readonly ProvenanceLink[];
      /** Whether the summarizer has read its reasoning. */
      readonly reasoning: ReasoningPlace;
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Revision of the session that this describes. */
      readonly revision: number;
      /** Purpose of a message that the engine wrote in the user’s role. */
      readonly synthetic?: 'continuation' | 'restated';
      /** How its content was erased. */
      readonly erased?: Erased;
      readonly status: 'withdrawn';
      readonly appendedAt: number;
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Revision of the session that this describes. */
      readonly revision: number;
      /** Purpose of a message that the engine wrote in the user’s role. */
      readonly synthetic?: 'continuation' | 'restated';
      /** How its content was erased. */
      readonly erased?: Erased;
      readonly status: 'pinned';
      readonly kind: PinKind;
      readonly tokens: number;
    }
  | {
      readonly session: string;
      readonly message: string;
      /** Revision of the session that this describes. */
      readonly revision: number;
      /** Purpose of a message that the engine wrote in the user’s role. */
      readonly synthetic?: 'continuation' | 'restated';
      /** How its content was erased. */
      readonly erased?: Erased;
      readonly status: 'unknown';
      /** Source of the fork, whose log may have the message. */
      readonly forkedFrom: ForkSource | null;
    };

/** The effect of a compaction or reset on a message, or on its summary. `covered`: its summary covers the message; `folded`: it merged the previous summary into its own; `carried-on`: it kept that summary; `cleared`: a reset, which has no summary. */
export type ProvenanceLink = {
  readonly compactionId: string;
  readonly action: 'covered' | 'cleared' | 'folded' | 'carried-on';
  readonly revision: number;
  readonly at: string;
  /** Range of messages that it covered itself. */
  readonly covered: { readonly from: string; readonly to: string; readonly messages: number } | null;
  readonly isInForce: boolean;
};

export type PutSecretRequest = {
  /** Stored encrypted and never returned. */
  readonly value: string;
};

/** The result of checking the quotes of a summary. An unfounded quote is listed by its message id, or `null` without one. */
export type QuoteCheck = { readonly checked: number; readonly unfounded: readonly (string | null)[] };

/** The target of the policy, and why a higher one applies. */
export type RaisedTarget = { readonly from: number; readonly reason: string };

/** `audit`: facts without text; `content`: text that people and models wrote. */
export type ReadKind = 'audit' | 'content';

export type ReasonRequest = {
  /** Reason for the audit. */
  readonly reason?: string;
};

export type Reasoned = {
  /** Reason for the audit. */
  readonly reason: string;
};

export type ReasoningOmission =
  | 'unsigned'
  | 'foreign-provider'
  | 'bound-to-changed-prefix'
  | 'nothing-follows';

/** State of a message’s reasoning, and whether the caller has marked it as disposable after its turn. */
export type ReasoningPlace = { readonly rule: PartRule; readonly isDisposable: boolean };

/** Handling of reasoning. `summarize`: requests carry it until its turn is compacted, and the summarizer reads it. `drop-when-compacted`: requests carry it until its turn is compacted, and no summarizer reads it. `drop-beyond-protected`: it leaves requests as soon as a compaction is due and its turn is not protected, and no summarizer reads it. */
export type ReasoningPolicy = 'summarize' | 'drop-when-compacted' | 'drop-beyond-protected';

/** The input of the call, as the model wrote it. */
export type RecallHistoryRequest = JsonObject;

/** Result of a call of the recall tool. */
export type Recalled = {
  readonly content: string;
  /** Whether the call failed; `content` then gives the reason and the valid arguments. */
  readonly isError: boolean;
  /** Messages in the answer. */
  readonly messages: readonly string[];
};

/** Why a request is refused. The session can continue after any of them. */
export type RefusalReason = 'blocking' | 'compaction-required' | 'compaction-in-flight';

/** A refused request, with the remedies. */
export type Refused = {
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
  /** Contributions to the request; absent without any. */
  readonly contributions?: readonly ContributionSize[];
  readonly outcome: 'refused';
};

export type RegisterPromptRequest = {
  /** Replacements of built-in texts by name; each must have the placeholders (`{{name}}`) of the built-in text. */
  readonly texts: {
    readonly system?: string;
    readonly transcript?: string;
    readonly prefix?: string;
    readonly sections?: string;
  };
};

export type RegisterTenantRequest = { readonly tenant: string; readonly name: string };

export type RegisterWebhookRequest = {
  readonly url: string;
  /** Purpose. */
  readonly label?: string;
  /** Delivered event types; empty for all. */
  readonly types?: readonly EventType[];
  /** Sessions whose events are delivered; empty for all. */
  readonly sessions?: readonly string[];
  /** `full` includes the text of users and models. */
  readonly content?: 'none' | 'full';
};

export type RegisterWebhookResponse = {
  readonly webhookId: string;
  readonly url: string;
  readonly label: string;
  readonly types: readonly EventType[];
  readonly sessions: readonly string[];
  readonly content: 'none' | 'full';
  readonly registeredAt: string;
  /** Signing secret of deliveries, which only this answer shows. */
  readonly secret: string;
};

export type Released = {
  /** `false` if no hold was active. */
  readonly released: boolean;
  /** The deferred compaction that is requested now. */
  readonly compactionId?: string;
};

/** An action that makes the next request of a session fit; `billedAfter` is the maximum size of that request afterwards, in billed tokens. */
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

export type RemoveRetentionResponse = {
  /** `false` if there was none. */
  readonly removed: boolean;
};

export type RemoveSecretResponse = { readonly name: string; readonly state: 'removed' };

export type RemoveWebhookResponse = { readonly webhookId: string; readonly state: 'removed' };

export type ReplayDeliveryRequest = JsonObject;

/** An answer of Anthropic’s messages, or the list of its `applied_edits`. */
export type ReportEditsRequest = unknown;

export type ReportOverflowRequest = {
  /** Error message of the provider. */
  readonly message: string;
  /** HTTP status of the provider. */
  readonly status?: number;
  /** Error code of the provider. */
  readonly code?: string;
};

export type ReportSessionUsageRequest = {
  /** Billed tokens of one request and its answer. */
  readonly usage: ReportedUsage;
  /** The model that answered; the session’s by default. */
  readonly model?: string;
};

export type ReportUsageQuery = {
  /** The first day, in UTC. */
  readonly from?: string;
  /** The last day, in UTC. */
  readonly to?: string;
  /** Sessions of this agent program. */
  readonly agent?: string;
  /** Sessions of this project. */
  readonly project?: string;
  /** Sessions with this label `user`. */
  readonly user?: string;
  /** Sessions with this label `customer`. */
  readonly customer?: string;
  /** name or name=value; each of several where it is given several times. */
  readonly label?: string | readonly string[];
  /** Metadata has its current value. `tenant` shows all tenants to an operator or admin of the tenant `default`. */
  readonly by?:
    | 'day'
    | 'model'
    | 'profile'
    | 'tenant'
    | 'session'
    | 'agent'
    | 'project'
    | 'user'
    | 'customer'
    | `label:${string}`;
};

/** Tokens that the provider billed for one request, and the ID of that request. */
export type ReportedUsage = {
  readonly inputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens` with a lifetime of one hour. */
  readonly cacheWrite1hTokens?: number;
  readonly outputTokens?: number;
  /** `requestId` of the billed request; by default the last request before the answer. */
  readonly requestId?: string;
};

export type RequestCompactionQuery = {
  /** Whether to wait for the end of the compaction and return its outcome. */
  readonly wait?: string;
};

export type RequestCompactionResponse = RequestedCompaction | CompactionOutcome;

export type RequestedCompaction =
  | { readonly status: 'deferred'; readonly compactionId: string }
  | { readonly status: 'requested' | 'joined'; readonly compactionId: string }
  | { readonly status: 'skipped'; readonly compactionId: string; readonly reason: SkipReason };

export type ResetDone =
  | {
      readonly session: string;
      /** The context was already empty. */
      readonly reset: false;
    }
  | {
      readonly session: string;
      readonly reset: true;
      /** ID with which to revert the reset. */
      readonly compactionId: string;
      readonly clearedMessages: number;
      /** Counted tokens of the next request. */
      readonly countedBefore: number;
      readonly countedAfter: number;
      readonly billedBefore: number;
      readonly billedAfter: number;
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
  readonly carried: string | null;
};

export type ResetSessionRequest = {
  /** Must be `true`: confirms that the context is cleared. */
  readonly confirm?: boolean;
  /** Reason for the audit. */
  readonly reason?: string;
};

/** An event after which the context begins anew. */
export type RetentionColumn = {
  readonly compactionId: string;
  readonly kind: PivotKind;
  readonly revision: number;
  readonly at: string;
  /** Turn in which it happened. */
  readonly turn: number;
  /** Format of the transcript whose agent compacted; `null` for compactions of this service. */
  readonly importedFrom: string | null;
  readonly isReverted: boolean;
  readonly isInForce: boolean;
};

export type RetentionDefault = {
  /** `governance` can be shortened with permission and a reason; `compliance` can only be lengthened. */
  readonly mode: RetentionMode;
  /** Days after the newest event of the session. */
  readonly days: number;
};

export type RetentionDefaults = {
  /** Period for all other profiles; `null` for none. */
  readonly default: RetentionDefault | null;
  /** Periods by profile name; `null` exempts a profile. */
  readonly profiles: Readonly<Record<string, RetentionDefault | null>>;
};

export type RetentionMap = {
  readonly session: string;
  readonly revision: number;
  /** The newest turn of the session. */
  readonly turns: number;
  readonly from: number;
  /** Compactions, resets and forks, oldest first: the newest 200. */
  readonly columns: readonly RetentionColumn[];
  readonly omittedColumns: number;
  /** Rows in the order of turns. */
  readonly rows: readonly RetentionRow[];
};

export type RetentionMode = 'governance' | 'compliance';

export type RetentionPeriod = {
  /** `governance` can be shortened with permission and a reason; `compliance` can only be lengthened. */
  readonly mode: RetentionMode;
  readonly until: string;
  /** Extends the date to this number of days after each new event; absent for a fixed date. */
  readonly days?: number;
};

export type RetentionRequest = {
  /** `governance` can be shortened with permission and a reason; `compliance` can only be lengthened. */
  readonly mode: RetentionMode;
  /** Earliest time at which content may be erased. */
  readonly until: string;
  /** Reason for the audit. */
  readonly reason?: string;
};

/** The state of a turn at each column. */
export type RetentionRow = {
  readonly turn: number;
  /** Its first message. */
  readonly from: string;
  /** Its last message. */
  readonly to: string;
  readonly messages: number;
  /** Counted tokens of the messages as they were appended. */
  readonly tokens: number;
  /** One state for each column; `null` where the column recorded none. */
  readonly cells: readonly ({
    readonly rule: RetentionRule;
    readonly toolOutputs: PartRule;
    readonly reasoning: PartRule;
  } | null)[];
};

/** The retention of a turn. `summarized`: replaced by a summary; `split`: its older part is. `snipped`: requests omit some of its messages; `collapsed`: replaced by a few lines in requests; `dropped`: the newest request omitted some of its messages on the ladder. `verbatim`: requests carry all of its messages. */
export type RetentionRule = 'summarized' | 'verbatim' | 'split' | 'snipped' | 'collapsed' | 'dropped';

export type RetriedProjection = {
  readonly projection: string;
  /** Number of streams that are retried. */
  readonly streams: number;
};

export type RetryStoppedStreamsRequest = {
  /** Position of the event that stops a stream; absent for all streams of the projection. */
  readonly position?: string;
};

export type RevertCompactionRequest = {
  /** The expected compaction; the request is refused if another one is in force. */
  readonly compactionId?: string;
  /** Reason for the audit. */
  readonly reason?: string;
};

export type Reverted = {
  readonly compactionId: string;
  /** The compaction that is in force again; `null` without one. */
  readonly restored: string | null;
  readonly reason: string;
  /** Counted tokens of the next request. */
  readonly countedBefore: number;
  readonly countedAfter: number;
  readonly billedBefore: number;
  readonly billedAfter: number;
  /** Number of messages before the restored context; `carried` is the one of them that it contains, `compactions` the number of its compactions. */
  readonly messagesBefore: number;
  readonly carried: string | null;
  readonly compactions: number;
};

export type RevisionRange = {
  /** First revision. */
  readonly from: number;
  /** Last revision, inclusive. */
  readonly to: number;
};

export type RevokeKeyQuery = {
  /** Reason for the audit. */
  readonly reason?: string;
};

export type RevokeKeyResponse = { readonly keyId: string; readonly state: 'revoked' };

export type Role = 'user' | 'assistant' | 'system';

export type RotateKeyRequest = {
  /** Time during which both keys are valid. */
  readonly overlapSeconds?: number;
  /** Time of expiry; `null` for a key that does not expire. */
  readonly expiresAt?: string | null;
};

export type RotateKeyResponse = {
  readonly tenant: string;
  /** The key, which only this answer shows. */
  readonly key: string;
  readonly keyId: string;
  readonly role: KeyRole;
  /** Permissions of the role and granted ones. */
  readonly permissions: readonly KeyPermission[];
  /** First characters of the key. */
  readonly prefix: string;
  readonly label: string;
  readonly expiresAt: string | null;
  readonly replaces: string;
  /** End of the old key’s validity. */
  readonly validUntil: string;
};

export type RotateWebhookSecretRequest = {
  /** Time during which deliveries are signed with both secrets. */
  readonly overlapSeconds?: number;
};

export type RotateWebhookSecretResponse = {
  readonly webhookId: string;
  /** Signing secret of deliveries, which only this answer shows. */
  readonly secret: string;
  /** Time until which deliveries are also signed with the old secret. */
  readonly validUntil: string;
};

export type RotatedLogKey = {
  /** The keys that sign from now on, as vkeys (C2SP signed-note). */
  readonly keys: readonly string[];
};

export type SearchAuditQuery = {
  /** letters, digits and _ . : -, at most 128. */
  readonly session?: string;
  /** Sessions of this agent program. */
  readonly agent?: string;
  /** Sessions of this project. */
  readonly project?: string;
  /** Sessions with this label `user`. */
  readonly user?: string;
  /** Sessions with this label `customer`. */
  readonly customer?: string;
  /** name or name=value; each of several where it is given several times. */
  readonly label?: string | readonly string[];
  /** Types of events; may be repeated. */
  readonly type?: AuditEventType | readonly AuditEventType[];
  /** Trigger of the event’s compaction. */
  readonly trigger?: Trigger;
  /** Outcome of a compaction by the event. */
  readonly outcome?: CompactionEnd;
  /** Profile of the compaction, or of the session at that time. */
  readonly profile?: string;
  /** The billed model, or the session’s model at that time. */
  readonly model?: string;
  /** The actor of the event. */
  readonly actor?: string;
  /** Correlation ID of a turn or operation. */
  readonly correlation?: string;
  /** ID of the event’s compaction. */
  readonly compaction?: string;
  /** A name, path, error or number that a compaction has lost, or words of a lost directive. */
  readonly lost?: string;
  /** Earliest time of recording, inclusive. */
  readonly since?: Instant;
  /** Latest time of recording, exclusive. */
  readonly until?: Instant;
  readonly sort?: AuditSort;
  /** `next` of the previous page, unchanged. */
  readonly cursor?: string;
  /** Maximum number of rows. */
  readonly limit?: number;
};

export type SearchCompactionsQuery = {
  /** letters, digits and _ . : -, at most 128. */
  readonly session?: string;
  /** Sessions of this agent program. */
  readonly agent?: string;
  /** Sessions of this project. */
  readonly project?: string;
  /** Sessions with this label `user`. */
  readonly user?: string;
  /** Sessions with this label `customer`. */
  readonly customer?: string;
  /** name or name=value; each of several where it is given several times. */
  readonly label?: string | readonly string[];
  readonly trigger?: Trigger;
  /** `open` for compactions that have not ended. */
  readonly outcome?: 'completed' | 'failed' | 'skipped' | 'cancelled' | 'reverted' | 'open';
  readonly profile?: string;
  /** The model that wrote the summary. */
  readonly model?: string;
  /** The actor that requested it. */
  readonly actor?: string;
  /** Earliest time of the request, inclusive. */
  readonly since?: Instant;
  /** Latest time of the request, exclusive. */
  readonly until?: Instant;
  /** `-` sorts by request, newest first. */
  readonly sort?: '-position' | 'position';
  /** `next` of the previous page, unchanged. */
  readonly cursor?: string;
  /** Maximum number of rows. */
  readonly limit?: number;
};

export type SearchMessagesQuery = {
  /** Text to find; ignores case and differences in white space. */
  readonly text: string;
  /** Maximum number of matches; the last message is always searched completely. */
  readonly limit?: number;
  /** `before` of the previous answer, to continue the search. */
  readonly before?: string;
};

/** The capacity of a session: the window, and its share for input. */
export type SessionLimits = {
  /** The model’s context window; 0 is unlimited: nothing ever triggers. */
  readonly window: number;
  /** `assumed` is the profile’s policy for unknown models. */
  readonly windowSource: 'model' | 'given' | 'assumed';
  /** The model’s maximum output, if known. */
  readonly maxOutput?: number;
  /** The model’s input limit, if smaller than the window. */
  readonly inputLimit?: number;
};

/** The facts that forbid to erase a session. */
export type SessionProtection = {
  readonly session: string;
  readonly period: RetentionPeriod | null;
  /** Oldest first. */
  readonly holds: readonly LegalHold[];
  /** `null` if the session may be erased. */
  readonly barrier: ErasureBarrier | null;
};

export type SessionSort =
  | '-lastActivity'
  | 'lastActivity'
  | '-occupancy'
  | 'occupancy'
  | '-opened'
  | 'opened';

/** A session as of its newest projected event. */
export type SessionSummary = {
  readonly session: string;
  /** Metadata given by callers; `null` without any. */
  readonly title: string | null;
  readonly agent: string | null;
  readonly project: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly turns: number;
  readonly messages: number;
  /** Billed tokens of the next request. */
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
  readonly compactions: number;
  readonly revision: number;
  readonly profile: string;
  readonly model: string;
  readonly openedAt: string;
  /** Time of its newest event. */
  readonly lastActivityAt: string;
};

/** The current state of a session without its content. */
export type SessionView = {
  readonly session: string;
  readonly revision: number;
  readonly status: 'open' | 'closed';
  readonly parent: string | null;
  readonly title: string | null;
  /** Program that runs the session. */
  readonly agent: string | null;
  readonly project: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** The erasure of its title, project and labels. */
  readonly erased?: Erased;
  /** The newest erasure of content of the session. */
  readonly lastErasure: string | null;
  readonly settings: {
    readonly model: string;
    /** The policy for the session’s model. */
    readonly profile: Profile;
    readonly limits: SessionLimits;
  };
  readonly budget: {
    /** Billed tokens of the next request. */
    readonly occupancy: number;
    readonly window: number;
    readonly state: BudgetState;
    /** The uninterrupted series of newest requests that were shortened; `null` if the newest one was complete. */
    readonly ladder: LadderUse | null;
    /** Whether the provider compacts this session, too. */
    readonly duplicateCompaction: boolean;
  };
  readonly pins: readonly Pin[];
  readonly messages: number;
  readonly turn: number;
  readonly isInTurn: boolean;
  readonly compactions: number;
  /** Compaction, reset or fork at the start of the context. */
  readonly pivot: string | null;
  /** The requested, running or deferred compaction. */
  readonly compaction: { readonly compactionId: string; readonly status: 'requested' | 'deferred' } | null;
  /** The hold that defers automatic compactions. */
  readonly hold: {
    readonly until: HoldUntil;
    readonly by: string;
    readonly reason: string;
    readonly turn: number;
  } | null;
};

export type Settings = {
  readonly profile: Profile;
  readonly window: number;
  readonly model: string;
  readonly title: string | null;
  readonly project: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of the changed settings. */
  readonly changed: readonly string[];
};

export type SignInRequest = {
  /** An API key. */
  readonly key?: string;
  /** The code of a sign-in link, which is valid once. */
  readonly code?: string;
};

export type SignOutResponse = { readonly signedOut: true };

/** A message and its size in the next request, in billed tokens. */
export type SizedMessage = { readonly messageId: string; readonly billedTokens: number };

export type SkipDeliveryRequest = {
  /** Reason for the audit. */
  readonly reason: string;
};

export type SkipReason =
  | {
      readonly rule: 'nothing-to-drop';
      readonly messages: number;
      /** Counted tokens of the next request. */
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

export type SkipStoppedStreamRequest = {
  /** Position of the event that stops the stream, from `GET /v1/projections/stopped`. */
  readonly position: string;
  /** Reason for the audit. */
  readonly reason: string;
};

export type SkippedLine = { readonly line: number; readonly reason: string };

export type SkippedProjection = {
  readonly projection: string;
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
};

/** Names of stages; the profile lists the active ones in order. */
export type StageName =
  | 'offload-results'
  | 'snip'
  | 'micro'
  | 'prune'
  | 'drop-tool-outputs'
  | 'summarize'
  | 'collapse';

export type Standing =
  | { readonly is: 'in-force' }
  | { readonly is: 'superseded'; readonly by: string; readonly kind: PivotKind }
  | {
      readonly is: 'reverted';
      readonly reason: string;
      readonly restored: string | null;
      readonly revision: number;
      readonly at: string;
    }
  | {
      readonly is: 'erased';
      readonly erasure: string;
      readonly restored: string | null;
      readonly revision: number;
      readonly at: string;
    };

/** A stream whose rows are stopped at an event that the projection cannot apply. */
export type StoppedStream = {
  readonly projection: string;
  readonly stream: string;
  /** `null` for a stream that belongs to no tenant. */
  readonly tenant: string | null;
  /** `null` for a stream that is not a session’s. */
  readonly session: string | null;
  /** Revision of the event that cannot be applied. */
  readonly revision: number;
  /** Position of that event in the log. */
  readonly position: string;
  /** Type of that event. */
  readonly type: string;
  /** Time of the first failure. */
  readonly at: string;
  /** Code of the error. */
  readonly error: string;
  readonly retryRequested: boolean;
};

/** An original message. */
export type StoredMessage = {
  /** The session that contains it; may be the source of a fork. */
  readonly session: string;
  readonly id: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly role: Role;
  readonly model?: string;
  readonly createdAt?: string;
  /** Written by the engine to continue interrupted work, or kept by an imported compaction. */
  readonly synthetic?: 'continuation' | 'restated';
  /** Counted tokens of the whole message. */
  readonly countedTokens: number;
  /** All blocks, or the requested one. */
  readonly content: readonly Block[];
  readonly erased?: Erased;
  /** Index of the requested block. */
  readonly block?: number;
  /** Requested range of the block’s text; `content` is empty then. */
  readonly part?: {
    readonly unit: 'bytes' | 'lines';
    readonly from: number;
    readonly count: number;
    /** All bytes, or lines, of the text. */
    readonly of: number;
    readonly text: string;
  };
};

export type StreamEventsQuery = {
  /** Events of this session alone; may be repeated. */
  readonly session?: string | readonly string[];
  /** Events of this type alone; may be repeated. */
  readonly type?: EventType | readonly EventType[];
  /** Resume after the event with this ID; `Last-Event-ID` takes precedence. */
  readonly after?: string;
  /** Start of the stream without an ID. */
  readonly from?: 'start' | 'now';
  /** `false` ends the stream at the current end of the log. */
  readonly follow?: 'true' | 'false';
  /** `full` includes text: the default of keys with the permission `content:read`, which it requires. */
  readonly content?: 'none' | 'full';
};

/** Everything that determines a summarizer’s output, so that an auditor can compare two runs. */
export type SummarizerIdentity = {
  readonly name: string;
  readonly model?: string;
  readonly promptVersion: string;
  /** Whether the same input always gives the same output. */
  readonly deterministic: boolean;
};

export type SummarizerLink =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: WireFormat;
      /** The session’s model by default. */
      readonly model?: string;
      /** The name of the secret that holds the key. */
      readonly secret: string;
      /** A prompt of the tenant: NAME or NAME@VERSION; the profile’s prompt by default. */
      readonly prompt?: string;
    };

/** Type of an event of a tenant: keys, limits, secrets, summarizers, models and webhooks. */
export type TenantEventType =
  | 'ApiKeyIssued'
  | 'ApiKeyRevoked'
  | 'ApiKeyRotated'
  | 'ErasureApproved'
  | 'ErasureCompleted'
  | 'ErasureDeferred'
  | 'ErasurePolicyChanged'
  | 'ErasureRequested'
  | 'ErasureWithdrawn'
  | 'LimitsChanged'
  | 'LogKeyRotated'
  | 'ModelConfigured'
  | 'ModelRemoved'
  | 'PromptRegistered'
  | 'RetentionDefaultsSet'
  | 'SecretRemoved'
  | 'SecretStored'
  | 'SummarizersConfigured'
  | 'TenantEventSkipped'
  | 'TenantRegistered'
  | 'WebhookChanged'
  | 'WebhookDeliverySkipped'
  | 'WebhookRegistered'
  | 'WebhookRemoved'
  | 'WebhookSecretRotated';

/** Rate limits of a tenant. */
export type TenantLimits = {
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** Tokens of appended messages per minute. */
  readonly tokensPerMinute: number;
  /** Compactions that run at the same time in one process. */
  readonly concurrentCompactions: number;
};

export type TenantSummarizers = {
  /** Summarizer that profiles call `default`; `null` for the operator’s configuration. */
  readonly default: string | null;
  /** Fallback chains by name, in order of use. */
  readonly summarizers: Readonly<Record<string, readonly SummarizerLink[]>>;
};

export type TestWebhookRequest = JsonObject;

export type TestWebhookResponse = {
  readonly delivered: boolean;
  /** HTTP status of the answer, or the error that prevented the delivery. */
  readonly outcome: string;
};

/** A block of an original message that contains the searched text. */
export type TextMatch = {
  /** The session that contains it; may be the source of a fork. */
  readonly session: string;
  readonly message: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly role: Role;
  /** Index of the block in the message, from 0. */
  readonly block: number;
  /** The first match in the block with the characters around it. */
  readonly excerpt: string;
};

/** Matches, newest first. */
export type TextMatches = {
  readonly matches: readonly TextMatch[];
  /** Messages that this call has read. */
  readonly searched: number;
  /** Where the next call continues; `null` if the whole session was searched. */
  readonly before: string | null;
};

/** Billed tokens at which states begin and compactions are requested. */
export type Thresholds = {
  readonly warning: number;
  readonly trigger: number;
  readonly critical: number;
  readonly blocking: number;
};

/** Prices of one token, in billionths of a US dollar: a dollar for a million tokens is 1,000. */
export type TokenRates = {
  readonly input: number;
  readonly output: number;
  /** Absent if the vendor has no such price or it is unknown: such usage has no price. */
  readonly cacheRead?: number;
  /** Price of tokens cached for five minutes, or for the only lifetime that the vendor offers. */
  readonly cacheWrite?: number;
  /** Price of tokens cached for an hour. */
  readonly cacheWrite1h?: number;
};

/** Transcript format, detected automatically. */
export type TranscriptFormat =
  | 'claude-code'
  | 'pi'
  | 'codex'
  | 'opencode'
  | 'gemini-cli'
  | 'copilot-cli'
  | 'openhands'
  | 'swe-agent'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'openai-messages';

/** Result of a trial run without a model, which records nothing; `refused` names the violated rule. */
export type TrialResult =
  | {
      readonly countedAfter: number;
      readonly billedAfter: number;
      readonly summaryTokens: number;
      readonly fidelity: ExplainedFidelity | null;
      /** Price of the input of the next request after the compaction. */
      readonly requestNanoUsd: number | null;
      /** Maximum price of a summary by the session’s model: it reads all covered messages and writes the longest summary; 0 without a summary. */
      readonly summaryNanoUsd: number | null;
    }
  | { readonly refused: string };

export type Trigger =
  | 'threshold'
  | 'explicit'
  | 'overflow'
  | 'requested-mid-turn'
  | 'idle'
  | 'model-switched'
  | 'policy'
  | 'imported';

export type TriggerMeasure = 'share' | 'reserve' | 'usable-budget';

/** A message of which a request holds the beginning and the end alone, in counted tokens. */
export type TruncatedMessage = {
  readonly messageId: string;
  readonly countedBefore: number;
  readonly countedAfter: number;
};

export type TurnRetention = {
  readonly turn: number;
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  /** Counted tokens, as they were appended. */
  readonly tokens: number;
  readonly rule: RetentionRule;
  readonly toolOutputs: PartRule;
  readonly reasoning: PartRule;
};

export type UnpinContentResponse = readonly Pin[];

/** Tokens that the provider billed for one request. The counts do not overlap. */
export type Usage = {
  /** Neither read from nor written to the cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Part of `cacheWriteTokens` with a lifetime of one hour. */
  readonly cacheWrite1hTokens?: number;
  readonly outputTokens: number;
};

export type UsageGroupSum = {
  /** Number of model answers that agents reported. */
  readonly calls: number;
  readonly tokens: BilledTokens;
  readonly cost: CostTotal;
  readonly compactions: CompactionTotals;
  /** `null` for sessions without that metadata. */
  readonly key: string | null;
  readonly source: UsageSource;
};

/** `live`: recorded as it happened, on the day of recording. `import`: from a transcript, on the day in the transcript, else on the day of the import. */
export type UsageSource = 'live' | 'import';

/** Usage of models, and the cost and savings of compactions. */
export type UsageSum = {
  /** Number of model answers that agents reported. */
  readonly calls: number;
  readonly tokens: BilledTokens;
  readonly cost: CostTotal;
  readonly compactions: CompactionTotals;
};

export type UsageTaken = {
  /** `false` for a second bill of the same request, which is not recorded. */
  readonly recorded: boolean;
  /** The billed request; `null` if the session knows none. */
  readonly requestId: string | null;
  /** `occupancy` if the bill updates the size of the context, `cost` if it counts for cost alone, `null` if not recorded. */
  readonly countsFor: 'occupancy' | 'cost' | null;
  /** Billed tokens of the next request. */
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
};

export type UsageTotals = {
  /** Both sources together, and each of them. */
  readonly total: UsageSum;
  readonly live: UsageSum;
  readonly import: UsageSum;
  /** One for each key and source: sessions and their metadata by cost, the largest first; others by key. At most 1,000. */
  readonly groups: readonly UsageGroupSum[];
  /** Number of unlisted groups, which the sums include. */
  readonly omittedGroups: number;
};

/** Measurements with which the result was accepted. */
export type Verified = {
  readonly countedBefore: number;
  readonly countedAfter: number;
  /** Maximum allowed by the rules. */
  readonly countedLimit: number;
  readonly billedBefore: number;
  readonly billedAfter: number;
  readonly summaryTokens: number;
  readonly durationMs: number;
  readonly warningCleared: boolean;
  /** Share of covered facts that can still be found; `null` if nothing was covered or measured. */
  readonly fidelity: ExplainedFidelity | null;
  /** Result of checking the user’s quotes; `null` without a summary or a check. */
  readonly quotes: QuoteCheck | null;
  /** Tokens of the framed summary before and after truncation; `null` if it was not truncated. */
  readonly truncated: { readonly from: number; readonly to: number } | null;
};

export type VerifiedHead = {
  readonly origin: string;
  readonly size: number;
  /** 32 bytes, base64. */
  readonly root: string;
  /** vkeys (C2SP signed-note). */
  readonly keys: readonly string[];
};

export type VerifyLiveRequest = {
  /** Logs and witnesses to trust (C2SP tlog-policy); by default the keys that each log names. */
  readonly policy?: string;
  /** Heads of an earlier verification, which the logs must continue. */
  readonly remembered?: readonly VerifiedHead[];
};

/** A rule of a provider that a request breaks, and the place of the message that breaks it. */
export type Violation = { readonly rule: string; readonly at: number };

/** A deferral of a due compaction. */
export type Wait = {
  readonly revision: number;
  readonly at: string;
  readonly trigger: Trigger;
  readonly reason: string;
  /** The source of the deferral. */
  readonly by: string;
  readonly until: HoldUntil;
};

export type Webhook = {
  readonly webhookId: string;
  readonly url: string;
  readonly label: string;
  readonly types: readonly EventType[];
  readonly sessions: readonly string[];
  readonly content: 'none' | 'full';
  readonly registeredAt: string;
};

export type WebhookDelivery = {
  /** Position of the event in the log. */
  readonly delivery: string;
  readonly session: string;
  readonly revision: number;
  readonly type: EventType;
  readonly state: DeliveryState;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Time of the next attempt; `null` without one. */
  readonly nextAt: string | null;
  /** HTTP status of the last attempt, or the error that prevented it. */
  readonly lastOutcome: string | null;
  readonly lastTriedAt: string | null;
};

export type WhatIfOutcome =
  | {
      readonly profile: string;
      /** Whether it is the session’s own profile with all overrides. */
      readonly isOwn: boolean;
      readonly plan: PlanSizes;
      readonly trial: TrialResult;
    }
  | {
      readonly profile: string;
      /** Whether it is the session’s own profile with all overrides. */
      readonly isOwn: boolean;
      readonly plan: null;
      readonly reason: SkipReason;
    };

export type WhatIfView = {
  readonly tokens: number;
  readonly window: number;
  readonly state: BudgetState;
  /** Price of the input of the next request without a compaction. */
  readonly requestNanoUsd: number | null;
  /** Requested or running compaction, which a new request would join. */
  readonly inFlight: string | null;
  readonly outcomes: readonly WhatIfOutcome[];
};

/** The reason of the cut, as the start of the last attempt recorded it. */
export type WhyCut = {
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  readonly splitTurn: boolean;
  /** The first message of the split turn, which is kept verbatim. */
  readonly carried: string | null;
  /** Protected turns, and how many of them are retained whole; `null` if the profile protects tokens. */
  readonly protectedTurns: ProtectedPart | null;
  /** Protected tokens, and how many are retained after the cut; `null` if the profile protects turns. */
  readonly protectedTokens: ProtectedPart | null;
  /** Why the protected part is not retained whole; `null` if it is. */
  readonly protection: ProtectionYield | null;
  readonly countedBefore: number;
  readonly target: number;
  readonly targetRaised: RaisedTarget | null;
  readonly countedSummaryLimit: number | null;
};

/** The cause of a compaction; for one that was never requested, why it was due. */
export type WhyNow = {
  readonly revision: number;
  readonly at: string;
  readonly trigger: Trigger;
  /** The count trigger that caused it: messages, turns, tool calls or minutes; `null` for none. */
  readonly count: {
    readonly by: 'messages' | 'turns' | 'tool-calls' | 'minutes';
    readonly reached: number;
    readonly at: number;
  } | null;
  readonly actor: string;
  readonly profile: string;
  readonly mode: ProfileMode;
  readonly withInstructions: boolean;
  readonly turn: number;
  readonly occupancy: number;
  /** Tokens; 0 is unlimited and triggers nothing. */
  readonly window: number;
  /** Earlier deferrals with end, actor and reason, oldest first. */
  readonly deferred: readonly Wait[];
  /** Tokens; `null` without a window. */
  readonly thresholds: Thresholds | null;
};

/** Provider format of a request. */
export type WireFormat = 'anthropic' | 'openai-chat' | 'openai-responses';

/** Changes by composing: a function of the session, of which only counts are recorded. */
export type WireNote =
  | { readonly action: 'answered-open-call'; readonly callId: string }
  | {
      readonly action: 'quoted-stray-block';
      readonly messageId: string;
      readonly type: string;
    }
  | { readonly action: 'renamed-call'; readonly callId: string; readonly to: string }
  | {
      readonly action: 'omitted-reasoning';
      readonly messageId: string;
      readonly reason: ReasoningOmission;
    };

export type WithdrawErasureRequest = {
  /** Reason for the audit; kept permanently, so it must not contain personal data. */
  readonly reason: string;
};
