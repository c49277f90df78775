import type { Integer, MessageId, NonEmpty, RequestId, Revision, SubjectRef, Tokens } from '@app/kernel';
import type { Calibration } from '../../budget/calibration/calibration.js';
import type { BudgetState } from '../../budget/limits.js';
import type { OfSubjects } from '../../message/subjects.js';
import type { NoteCount, WireFormat } from '../../message/wire.js';
import type { LadderPolicy } from '../../profiles/profile.js';
import type {
  Contribution,
  ContributionSize,
  FloorPart,
  LadderRung,
  Remedy,
  SizedMessage,
  TruncatedMessage,
} from '../facts.js';
import type { HashedText, MessageForm, TextChange } from '../request-parts.js';

/** Why a request may not go out. Each is a pause of the session and never its end. */
export type RefusalReason =
  /** Occupancy is critical, and nothing is under way that would change it. */
  | 'compaction-required'
  /** A compaction is asked for or under way: its outcome decides. */
  | 'compaction-in-flight'
  /** Occupancy is blocking, and nothing is under way that would change it. */
  | 'blocking';

/** SHA-256, hexadecimal, of the parts of a request that are not its history, as they were in force for it. */
export type PartDigests = {
  readonly systemPrompt: NonEmpty;
  /** Digest of the tools' JSON. */
  readonly tools: NonEmpty;
  /** Digest of the contributions' names and texts as JSON; absent without contributions. */
  readonly contributions?: NonEmpty;
  /** Digest of the gateway client's request without its history; absent without a client. */
  readonly client?: NonEmpty;
};

/** Why a provider did not count: timeout, no connection, rejection, or no key. */
export type CountFailure = 'timed-out' | 'unreachable' | 'refused' | 'no-key';

/** Data of events by type. */
export type RequestEvents = {
  /**
   * Parts of the session's requests other than the history have changed; absent parts stay. Each text is recorded once
   * while it is in force, and is part of every opening state.
   */
  RequestPartsChanged: OfSubjects & {
    /** Subjects of contributions and of the client's form of the history; `subjects` are of system prompt and tools. */
    historySubjects?: readonly SubjectRef[];
    systemPrompt?: TextChange;
    /** Change of the tools' JSON. */
    tools?: TextChange;
    /** Counted tokens of system prompt and tools. */
    fixedTokens?: Tokens;
    /** Billed tokens of the next request, where `fixedTokens` have changed. */
    occupancyAfter?: Tokens;
    /** The contributions to the next request. */
    contributions?: { readonly digest: NonEmpty; readonly given: readonly Contribution[] };
    /** Form in which the client of the gateway writes its requests. */
    client?: {
      readonly format: WireFormat;
      readonly before?: TextChange;
      readonly separator?: string;
      readonly after?: TextChange;
      /** Messages that it writes otherwise than before; `null` for one that it writes as this engine does. */
      readonly forms?: readonly { readonly messageId: MessageId; readonly form: MessageForm | null }[];
      /** The body of a request that cannot be composed from its parts; `null` once one can. */
      readonly literal?: HashedText | null;
    };
  };
  /** A request was composed: proof of the model's input. The context is unchanged. Its digests are content: that of its subjects. */
  RequestComposed: OfSubjects & {
    /** The id of the request in its bill and wherever its body is referenced. */
    requestId: RequestId;
    format: WireFormat;
    /** Revision of the session from which the request was composed, inclusive. */
    revision: Revision;
    turn: number;
    /** Billed tokens of the request: from usage, and estimated for unbilled content. */
    occupancy: Tokens;
    /** Counted tokens of the same, before a rung of the ladder. */
    counted: Tokens;
    window: Tokens;
    state: BudgetState;
    /** Compactions completed by then. */
    epoch: number;
    /** Stages applied to the manifest, in order. */
    stages: readonly NonEmpty[];
    /** Counts of changes by composing. */
    notes: readonly NoteCount[];
    /** Counted tokens saved by compactions; absent for 0. */
    countedSaved?: Tokens;
    /** Counted tokens that read-time stages omit; negative if replacements are longer; absent for 0. */
    omittedTokens?: Integer;
    /** SHA-256 of the exact JSON body, hexadecimal. */
    digest: NonEmpty;
    parts: PartDigests;
    /** Contributions to the request; absent without any. */
    contributions?: readonly ContributionSize[];
    /** Context providers that had nothing to give because they failed. */
    failedProviders?: readonly NonEmpty[];
    /** The request's output limit in tokens; absent without one. */
    maxOutput?: Tokens;
    /**
     * Set if no compaction could make room: the lowest rung, its omissions, and the billed tokens of the sent
     * request.
     */
    ladder?: {
      readonly rung: LadderRung;
      readonly masked: number;
      readonly droppedGroups: number;
      readonly truncated: readonly TruncatedMessage[];
      readonly tokens: Tokens;
    };
    /** The caller's ladder option for this request; absent for the profile's. */
    ladderOption?: LadderPolicy;
  };
  /**
   * The provider was asked for the size of the next request because the estimate was in doubt: the deciding count, and
   * the estimate.
   */
  RequestCounted: {
    turn: number;
    model: string;
    counter: 'provider' | 'estimate';
    /** Counted tokens that read-time stages omit; absent for 0, and for a failed count. */
    omittedTokens?: Integer;
    /** Tokens of the whole request by that counter. */
    tokens: Tokens;
    estimated: Tokens;
    /** The part of contributions, in counted tokens. */
    contributed: Tokens;
    /** Why the estimate decides. */
    failure?: CountFailure;
    /** The calibration from now on; absent if the count measures nothing. */
    calibration?: Calibration;
  };
  /** The first request that goes down the ladder. */
  LadderEntered: { turn: number; rung: LadderRung; occupancy: Tokens; window: Tokens };
  /** Requests need the ladder no more; `requests` is the number of shortened ones. */
  LadderExited: { turn: number; requests: number };
  /** No request may go out: the reason, and remedies that work now. */
  RequestRefused: {
    reason: RefusalReason;
    turn: number;
    state: BudgetState;
    occupancy: Tokens;
    threshold: Tokens;
    window: Tokens;
    remedies: readonly Remedy[];
    /** The largest message of the request. */
    largest?: SizedMessage;
    /** Contributions to the request; absent without any. */
    contributions?: readonly ContributionSize[];
  };
  /** A provider rejected the newest request as too large; `rung` is the one it was sent on. */
  OverflowReported: { turn: number; tokens: Tokens; rung?: LadderRung };
  /** No request of this turn fits, after all retries and rungs of the ladder. */
  ContextOverflowed: {
    turn: number;
    reason: 'ladder-exhausted' | 'repeated-overflow' | 'ladder-disabled';
    /** The lowest rung taken; `none` if none could omit anything, or none was tried. */
    rung: LadderRung | 'none';
    /** Size of the request on that rung. */
    tokens: Tokens;
    /** The limit in tokens; `null` without a known window. */
    budget: Tokens | null;
    /** Parts that no rung can omit. */
    parts: readonly FloorPart[];
    /** The largest message of the request. */
    largest?: SizedMessage;
    remedies: readonly Remedy[];
  };
  /** A caller decided that this turn continues although a compaction is required. */
  CompactionOverridden: OfSubjects & { turn: number; reason: string; occupancy: Tokens; threshold: Tokens };
};
