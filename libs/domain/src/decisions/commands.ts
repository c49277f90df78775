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
import type { FinishedSummary } from '../compaction/finished-summary.js';
import type { Erased, Message } from '../message/index.js';
import type { NoteCount, WireFormat } from '../message/wire.js';
import type { Cost, Usage } from '../models/cost.js';
import type { LadderPolicy, Profile } from '../profiles/profile.js';
import type {
  AttemptError,
  ContributionSize,
  HoldUntil,
  NativeCompaction,
  PartDigests,
  Pin,
  ProjectionSkipped,
  ProviderEdits,
  SessionForked,
  SummarizerIdentity,
  Trigger,
  UsageReported,
} from '../session/events.js';
import type { Contribution } from '../session/facts.js';
import type { RetentionDefault, RetentionMode } from '../session/protection.js';
import type { HashedText, MessageForm } from '../session/request-parts.js';
import type { OpenSession, SessionState } from '../session/state.js';
import type { CountRequestCommand } from './count-request-command.js';
import type { ImportCommand } from './record-compaction-command.js';

export type { FinishedSummary } from '../compaction/finished-summary.js';
export type { CountRequestCommand } from './count-request-command.js';
export type { RecordCompactionCommand, RecordPruningCommand } from './record-compaction-command.js';

export type OpenSessionCommand = DomainCommand<
  'OpenSession',
  {
    tenantId: TenantId;
    sessionId: SessionId;
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
  }
>;
/** A message with its token counts. */
export type CountedMessage = {
  readonly message: Message;
  readonly tokens: Tokens;
  readonly blockTokens: readonly Tokens[];
  readonly estimator: string;
};
export type AppendMessagesCommand = DomainCommand<
  'AppendMessages',
  {
    sessionId: SessionId;
    messages: readonly CountedMessage[];
    usage?: RequestBill;
  } & BillFacts
>;
/** Reports the usage of a request whose answer was appended before, or is never appended. */
export type ReportUsageCommand = DomainCommand<
  'ReportUsage',
  { sessionId: SessionId; usage: RequestBill } & BillFacts
>;
/** Usage of a request; without an id, of the request that the answer belongs to. */
export type RequestBill = Omit<UsageReported['data'], 'countsFor' | 'occupancyAfter' | 'calibration'>;
type BillFacts = {
  /** Billed tokens per thousand counted ones in the model's family: the prior of a calibration. */
  perThousand?: number;
  /** Whether the log has usage of the named request, if the session no longer remembers the request. */
  earlierRequest?: 'billed' | 'unbilled';
};
export type CompleteTurnCommand = DomainCommand<'CompleteTurn', { sessionId: SessionId; stopReason: string }>;
/** To be carried out before every model request: thresholds fire here. */
export type CheckBudgetCommand = DomainCommand<
  'CheckBudget',
  {
    sessionId: SessionId;
    /** The id of the compaction that this may request. */
    compactionId: CompactionId;
    /** Without it nothing cools down. */
    now?: IsoTime;
    /** Tokens of the contributions to the request that is about to be sent; absent for those of the newest request. */
    contributed?: Tokens;
    /** Set if the interrupted work is known to continue: in a recording, the next message exists already. */
    willContinue?: boolean;
  }
>;
export type RequestCompactionCommand = DomainCommand<
  'RequestCompaction',
  {
    sessionId: SessionId;
    compactionId: CompactionId;
    trigger: Trigger;
    profile?: Profile;
    instructions?: string;
    /** The actor, recorded if the compaction is deferred. */
    by?: Actor;
    /** The caller's clock, which may half-open a circuit. */
    now?: IsoTime;
  }
>;
/** Automatic compactions are to wait. */
export type DeferCompactionsCommand = DomainCommand<
  'DeferCompactions',
  { sessionId: SessionId; until: HoldUntil; by: Actor; reason: string }
>;
export type ReleaseCompactionsCommand = DomainCommand<
  'ReleaseCompactions',
  { sessionId: SessionId; by: Actor; reason: string }
>;
export type StartCompactionCommand = DomainCommand<
  'StartCompaction',
  {
    sessionId: SessionId;
    compactionId: CompactionId;
    worker: string;
    summarizer: SummarizerIdentity;
    inputHash: string;
    /** Lines of hooks for the summarizer's input. */
    contextLines?: readonly string[];
    now?: IsoTime;
  }
>;
type Attempt = {
  sessionId: SessionId;
  compactionId: CompactionId;
  attempt: number;
  worker: string;
  usage?: Usage;
  cost?: Cost;
  now?: IsoTime;
};
/** `summary` is `null` if the plan needs none. */
export type CompleteCompactionCommand = DomainCommand<
  'CompleteCompaction',
  Attempt & {
    summary: FinishedSummary | null;
    summarizer: SummarizerIdentity;
    native?: NativeCompaction;
    durationMs: number;
    /** The message that continues interrupted work, if the profile enables it. */
    continuation?: CountedMessage;
  }
>;
export type FailAttemptCommand = DomainCommand<
  'FailAttempt',
  Attempt & {
    error: AttemptError;
    retryAt?: IsoTime;
    /** No other attempt is worth its wait: this was the last one. */
    giveUp?: boolean;
  }
>;

/** A compaction may not begin: one that has to be asked for it did not answer. */
export type FailCompactionCommand = DomainCommand<
  'FailCompaction',
  { sessionId: SessionId; compactionId: CompactionId; error: AttemptError; now?: IsoTime }
>;
export type CancelCompactionCommand = DomainCommand<
  'CancelCompaction',
  { sessionId: SessionId; compactionId: CompactionId; reason: string; by?: 'caller' | 'hook' }
>;
/** `without` is the session as it would be without that compaction: only a reader of the log knows it. */
export type RevertCompactionCommand = DomainCommand<
  'RevertCompaction',
  { sessionId: SessionId; compactionId: CompactionId; reason: string; without: SessionState }
>;
/** `compactionId` will name the reset. */
export type ResetSessionCommand = DomainCommand<
  'ResetSession',
  { sessionId: SessionId; compactionId: CompactionId; reason: string; confirm: boolean; now?: IsoTime }
>;
/** Changes policy or window; absent fields stay. */
export type ChangeSettingsCommand = DomainCommand<
  'ChangeSettings',
  { sessionId: SessionId; profile?: Profile; limits?: Limits }
>;
/** Absent fields stay; `null` removes a value. Labels change one by one. */
export type DescribeSessionCommand = DomainCommand<
  'DescribeSession',
  {
    sessionId: SessionId;
    title?: string | null;
    project?: string | null;
    labels?: { readonly [name: string]: string | null };
    /** The data subject that the label `customer` names. */
    customer?: SubjectRef | null;
  }
>;
export type SwitchModelCommand = DomainCommand<
  'SwitchModel',
  { sessionId: SessionId; model: string; limits: Limits }
>;
export type PinContentCommand = DomainCommand<'PinContent', { sessionId: SessionId; pin: Pin }>;
export type UnpinContentCommand = DomainCommand<'UnpinContent', { sessionId: SessionId; pinId: PinId }>;
/** `source` is the session at revision `from`; `compactionId` is the fork's id if the source has no compaction. */
export type ForkSessionCommand = DomainCommand<
  'ForkSession',
  {
    sessionId: SessionId;
    compactionId: CompactionId;
    from: SessionForked['data']['from'];
    source: OpenSession;
    /** Retention of the fork, by the defaults of its tenant; the source's holds do not apply to it. */
    retention?: RetentionDefault;
    now?: IsoTime;
  }
>;
/** Changes the parts of the next request other than the history; absent parts stay. */
export type ChangeRequestPartsCommand = DomainCommand<
  'ChangeRequestParts',
  {
    sessionId: SessionId;
    systemPrompt?: HashedText;
    /** As JSON. */
    tools?: HashedText;
    /** Counted tokens of system prompt and tools. */
    fixedTokens?: Tokens;
    contributions?: { readonly digest: string; readonly given: readonly Contribution[] };
  }
>;
/** Records the form of the gateway client's next request: everything that its body is rebuilt from. */
export type ChangeClientFormCommand = DomainCommand<
  'ChangeClientForm',
  {
    sessionId: SessionId;
    format: WireFormat;
    before: HashedText;
    separator: string;
    after: HashedText;
    forms: ReadonlyMap<MessageId, MessageForm>;
    literal?: HashedText;
  }
>;
/** Records the request composed at `revision`; `override` lets this turn continue although it is critical. */
export type ComposeRequestCommand = DomainCommand<
  'ComposeRequest',
  {
    sessionId: SessionId;
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
  }
>;
/** The provider refused the newest request as too large; `compactionId` will name the compaction for that. */
export type ReportOverflowCommand = DomainCommand<
  'ReportOverflow',
  { sessionId: SessionId; compactionId: CompactionId; now?: IsoTime; canSummarize?: boolean }
>;
/** Reports context edits of the provider in a request; `responseId` is the id of the answer that reported them. */
export type ReportEditsCommand = DomainCommand<
  'ReportEdits',
  { sessionId: SessionId; responseId?: string; edits: ProviderEdits }
>;
export type CloseSessionCommand = DomainCommand<'CloseSession', { sessionId: SessionId; reason: string }>;

type ProtectionChange = { sessionId: SessionId; by: Actor; now: IsoTime };
/** `mayShorten`: the actor has the permission to shorten periods in the mode `governance`. */
export type SetRetentionCommand = DomainCommand<
  'SetRetention',
  ProtectionChange & { mode: RetentionMode; until: IsoTime; reason?: string; mayShorten: boolean }
>;
export type RemoveRetentionCommand = DomainCommand<
  'RemoveRetention',
  ProtectionChange & { reason: string; mayShorten: boolean }
>;
/** `newestAt`: the time of the session's newest event that is no change of its protection. */
export type ExtendRetentionCommand = DomainCommand<
  'ExtendRetention',
  ProtectionChange & { newestAt: IsoTime }
>;
export type EndRetentionCommand = DomainCommand<'EndRetention', { sessionId: SessionId; now: IsoTime }>;
export type PlaceLegalHoldCommand = DomainCommand<
  'PlaceLegalHold',
  ProtectionChange & { matter: MatterName; reason: string }
>;
export type ReleaseLegalHoldCommand = DomainCommand<
  'ReleaseLegalHold',
  ProtectionChange & { matter: MatterName; reason: string }
>;
export type ProtectionCommand =
  | SetRetentionCommand
  | RemoveRetentionCommand
  | ExtendRetentionCommand
  | EndRetentionCommand
  | PlaceLegalHoldCommand
  | ReleaseLegalHoldCommand;

/** Skips an event in a projection. `isSkipped` is `true` if the skip is recorded already. */
export type SkipProjectionCommand = DomainCommand<
  'SkipProjection',
  ProjectionSkipped['data'] & { sessionId: SessionId; isSkipped: boolean }
>;

/** Content was destroyed with its keys: the session is told, so that decisions on the content before are made anew. */
export type EraseContentCommand = DomainCommand<
  'EraseContent',
  { sessionId: SessionId } & Erased & { subject?: SubjectRef }
>;

export type SessionCommand =
  | OpenSessionCommand
  | AppendMessagesCommand
  | ReportUsageCommand
  | CompleteTurnCommand
  | CheckBudgetCommand
  | RequestCompactionCommand
  | DeferCompactionsCommand
  | ReleaseCompactionsCommand
  | StartCompactionCommand
  | CompleteCompactionCommand
  | FailAttemptCommand
  | FailCompactionCommand
  | ImportCommand
  | CancelCompactionCommand
  | RevertCompactionCommand
  | ResetSessionCommand
  | ChangeSettingsCommand
  | DescribeSessionCommand
  | SwitchModelCommand
  | PinContentCommand
  | UnpinContentCommand
  | ForkSessionCommand
  | CountRequestCommand
  | ChangeRequestPartsCommand
  | ChangeClientFormCommand
  | ComposeRequestCommand
  | ReportOverflowCommand
  | ReportEditsCommand
  | CloseSessionCommand
  | ProtectionCommand
  | SkipProjectionCommand
  | EraseContentCommand;
