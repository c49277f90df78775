import type {
  Actor,
  CompactionId,
  DomainCommand,
  IsoTime,
  JsonObject,
  MatterName,
  MessageId,
  PinId,
  RequestId,
  Revision,
  SessionId,
  SubjectRef,
  TenantId,
  Tokens,
} from '@app/kernel';
import type { Limits } from '../budget/limits.js';
import type { CountedReinjection } from '../compaction/reinjection/reinjectable.js';
import type { SummaryOutcome } from '../compaction/verify.js';
import type { Erased, Message } from '../message/index.js';
import type { NoteCount, WireFormat } from '../message/wire.js';
import type { Cost, Usage } from '../models/cost.js';
import type { LadderPolicy, Profile } from '../profiles/profile.js';
import type {
  AttemptError,
  ContributionSize,
  CountFailure,
  EventData,
  HoldUntil,
  NativeCompaction,
  PartDigests,
  Pin,
  ProviderEdits,
  SessionEvent,
  SummarizerIdentity,
  Trigger,
} from '../session/events.js';
import type { Contribution, ImportedCompaction, ReasoningReferences } from '../session/facts.js';
import type { RetentionDefault, RetentionMode } from '../session/protection.js';
import type { HashedText, MessageForm } from '../session/request-parts.js';
import type { OpenSession, SessionState } from '../session/state.js';

/** A message with its token counts. */
export type CountedMessage = {
  readonly message: Message;
  readonly tokens: Tokens;
  readonly blockTokens: readonly Tokens[];
  readonly estimator: string;
};

/** Usage of a request; without an id, of the request that the answer belongs to. */
export type RequestBill = Omit<EventData<'UsageReported'>, 'countsFor' | 'occupancyAfter' | 'calibration'>;

type BillFacts = {
  /** Billed tokens per thousand counted ones in the model's family: the prior of a calibration. */
  perThousand?: number;
  /** Whether the log has usage of the named request, if the session no longer remembers the request. */
  earlierRequest?: 'billed' | 'unbilled';
};

type Attempt = {
  compactionId: CompactionId;
  attempt: number;
  worker: string;
  usage?: Usage;
  cost?: Cost;
  now?: IsoTime;
};

type ProtectionChange = { by: Actor; now: IsoTime };

/** The data of each command, without the ID of its session. */
type CommandData = {
  OpenSession: {
    tenantId: TenantId;
    model: string;
    limits: Limits;
    profile: Profile;
    systemPrompt: string;
    tools: readonly JsonObject[];
    fixedTokens: Tokens;
    parentSessionId?: SessionId;
    title?: string;
    agent?: string;
    project?: string;
    labels: { readonly [name: string]: string };
    /** Data subjects of the whole session, or of its opening only. */
    subjects?: readonly SubjectRef[];
    subjectsApplyTo?: 'opening';
    /** The data subject that the label `customer` names; one of the `subjects`, of all content. */
    customer?: SubjectRef;
    openedAt?: IsoTime;
    /** The mandate of a child session, pinned from the beginning. */
    mandate?: Pin;
    /** Retention of the session, by the defaults of its tenant. */
    retention?: RetentionDefault;
  };
  AppendMessages: {
    messages: readonly CountedMessage[];
    usage?: RequestBill;
  } & BillFacts;
  /** Reports the usage of a request whose answer was appended before, or is never appended. */
  ReportUsage: { usage: RequestBill } & BillFacts;
  CompleteTurn: { stopReason: string };
  /** To be carried out before every model request: thresholds fire here. */
  CheckBudget: {
    /** The id of the compaction that this may request. */
    compactionId: CompactionId;
    /** Without it nothing cools down. */
    now?: IsoTime;
    /** Tokens of the contributions to the request that is about to be sent; absent for those of the newest request. */
    contributed?: Tokens;
    /** Set if the interrupted work is known to continue: in a recording, the next message exists already. */
    willContinue?: boolean;
  };
  RequestCompaction: {
    compactionId: CompactionId;
    trigger: Trigger;
    profile?: Profile;
    instructions?: string;
    /** The actor, recorded if the compaction is deferred. */
    by?: Actor;
    /** The caller's clock, which may half-open a circuit. */
    now?: IsoTime;
  };
  /** Automatic compactions are to wait. */
  DeferCompactions: { until: HoldUntil; by: Actor; reason: string };
  ReleaseCompactions: { by: Actor; reason: string };
  StartCompaction: {
    compactionId: CompactionId;
    worker: string;
    summarizer: SummarizerIdentity;
    inputHash: string;
    /** Lines of hooks for the summarizer's input. */
    contextLines?: readonly string[];
    now?: IsoTime;
  };
  /** `summary` is `null` if the plan needs none. */
  CompleteCompaction: Attempt & {
    summary: FinishedSummary | null;
    summarizer: SummarizerIdentity;
    native?: NativeCompaction;
    durationMs: number;
    /** The message that continues interrupted work, if the profile enables it. */
    continuation?: CountedMessage;
  };
  FailAttempt: Attempt & {
    error: AttemptError;
    retryAt?: IsoTime;
    /** No other attempt is worth its wait: this was the last one. */
    giveUp?: boolean;
  };
  /** A compaction may not begin: one that has to be asked for it did not answer. */
  FailCompaction: { compactionId: CompactionId; error: AttemptError; now?: IsoTime };
  CancelCompaction: { compactionId: CompactionId; reason: string; by?: 'caller' | 'hook' };
  /** `without` is the session as it would be without that compaction: only a reader of the log knows it. */
  RevertCompaction: { compactionId: CompactionId; reason: string; without: SessionState };
  /** `compactionId` will name the reset. */
  ResetSession: { compactionId: CompactionId; reason: string; confirm: boolean; now?: IsoTime };
  /** Changes policy or window; absent fields stay. */
  ChangeSettings: { profile?: Profile; limits?: Limits };
  /** Absent fields stay; `null` removes a value. Labels change one by one. */
  DescribeSession: {
    title?: string | null;
    project?: string | null;
    labels?: { readonly [name: string]: string | null };
    /** The data subject that the label `customer` names. */
    customer?: SubjectRef | null;
  };
  SwitchModel: { model: string; limits: Limits };
  PinContent: { pin: Pin };
  UnpinContent: { pinId: PinId };
  /** `source` is the session at revision `from`; `compactionId` is the fork's id if the source has no compaction. */
  ForkSession: {
    compactionId: CompactionId;
    from: EventData<'SessionForked'>['from'];
    source: OpenSession;
    /** Retention of the fork, by the defaults of its tenant; the source's holds do not apply to it. */
    retention?: RetentionDefault;
    now?: IsoTime;
  };
  /** Changes the parts of the next request other than the history; absent parts stay. */
  ChangeRequestParts: {
    systemPrompt?: HashedText;
    /** As JSON. */
    tools?: HashedText;
    /** Counted tokens of system prompt and tools. */
    fixedTokens?: Tokens;
    contributions?: { readonly digest: string; readonly given: readonly Contribution[] };
  };
  /** Records the form of the gateway client's next request: everything that its body is rebuilt from. */
  ChangeClientForm: {
    format: WireFormat;
    before: HashedText;
    separator: string;
    after: HashedText;
    forms: ReadonlyMap<MessageId, MessageForm>;
    literal?: HashedText;
  };
  /** Records the request composed at `revision`; `override` lets this turn continue although it is critical. */
  ComposeRequest: {
    requestId: RequestId;
    format: WireFormat;
    revision: Revision;
    notes: readonly NoteCount[];
    digest: string;
    parts: PartDigests;
    /** Contributions to the request, and the names of failed context providers. */
    contributions?: readonly ContributionSize[];
    failedProviders?: readonly string[];
    override?: { readonly reason: string };
    /** In the place of the profile's `ladder`, for this request alone. */
    ladder?: LadderPolicy;
    /** The request's output limit in tokens; absent without one. */
    maxOutput?: Tokens;
    /** Whether a summarizer can be asked, for the remedies of a refusal; taken for granted where absent. */
    canSummarize?: boolean;
  };
  /** The provider refused the newest request as too large; `compactionId` will name the compaction for that. */
  ReportOverflow: { compactionId: CompactionId; now?: IsoTime; canSummarize?: boolean };
  /** Reports context edits of the provider in a request; `responseId` is the id of the answer that reported them. */
  ReportEdits: { responseId?: string; edits: ProviderEdits };
  CloseSession: { reason: string };
  /** `mayShorten`: the actor has the permission to shorten periods in the mode `governance`. */
  SetRetention: ProtectionChange & {
    mode: RetentionMode;
    until: IsoTime;
    reason?: string;
    mayShorten: boolean;
  };
  RemoveRetention: ProtectionChange & { reason: string; mayShorten: boolean };
  /** `newestAt`: the time of the session's newest event that is no change of its protection. */
  ExtendRetention: ProtectionChange & { newestAt: IsoTime };
  EndRetention: { now: IsoTime };
  PlaceLegalHold: ProtectionChange & { matter: MatterName; reason: string };
  ReleaseLegalHold: ProtectionChange & { matter: MatterName; reason: string };
  /** Skips an event in a projection. `isSkipped` is `true` if the skip is recorded already. */
  SkipProjection: EventData<'ProjectionSkipped'> & { isSkipped: boolean };
  /** Content was destroyed with its keys: the session is told, so that decisions on the content before are made anew. */
  EraseContent: Erased & { subject?: SubjectRef };
  /** Reports the provider's token count of the next request. */
  CountRequest: {
    /** Counted tokens of the contributions to the request. */
    contributed: Tokens;
    answer: { readonly tokens: Tokens } | { readonly failure: CountFailure };
  };
  /** Outputs of tools that the session's own agent has cleared, by the ids of their calls. */
  RecordPruning: { callIds: readonly string[]; imported: ImportedCompaction };
  /** Imports a compaction of the session's own agent. Kept messages that moved are appended again before it. */
  RecordCompaction: {
    compactionId: CompactionId;
    /** The first retained message; absent if none was retained. */
    retainedFrom?: MessageId;
    /** `null` if only the provider can read it. */
    summary: Pick<FinishedSummary, 'text' | 'framedTokens'> | null;
    summarizer: SummarizerIdentity;
    native?: NativeCompaction;
    usage?: Usage;
    cost?: Cost;
    durationMs: number;
    imported: ImportedCompaction;
  };
};

/** A command of one of the types. */
export type CommandOf<Type extends keyof CommandData> = Type extends unknown
  ? DomainCommand<Type, { sessionId: SessionId } & CommandData[Type]>
  : never;
export type SessionCommand = CommandOf<keyof CommandData>;
/** Commands on the protection of a session's content. */
export type ProtectionCommand = CommandOf<
  | 'SetRetention'
  | 'RemoveRetention'
  | 'ExtendRetention'
  | 'EndRetention'
  | 'PlaceLegalHold'
  | 'ReleaseLegalHold'
>;

/** The decision on one type of command: returns the events that it causes; none if it was executed before. */
export type Decide<Type extends keyof CommandData> = (
  command: CommandOf<Type>,
  session: OpenSession,
) => readonly SessionEvent[];

/** A summary in its final form, and the changes to the summarizer's output. */
export type FinishedSummary = SummaryOutcome & {
  readonly tokens: Tokens;
  readonly framedTokens: Tokens;
  /** Content to restore after the summary, as far as there is room; absent if the policy disables it. */
  readonly reinjection?: CountedReinjection;
  /** Size of the framed summary before it was truncated, if it was. */
  readonly truncatedFrom?: Tokens;
  /** Set if the output referred to reasoning. */
  readonly reasoning?: ReasoningReferences;
};
