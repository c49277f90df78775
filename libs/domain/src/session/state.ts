import type { CompactionId, ErasureId, IsoTime, MessageId, Revision, SubjectRef, Tokens } from '@app/kernel';
import type { Calibration } from '../budget/calibration/calibration.js';
import type { Limits } from '../budget/limits.js';
import type { Erased } from '../message/subjects.js';
import type { WireFormat } from '../message/wire.js';
import type { Cost, Usage } from '../models/cost.js';
import type { Profile } from '../profiles/profile.js';
import type { QuoteCheck } from '../quotes/user-text.js';
import { type Entry, entryById } from './entry.js';
import type {
  AttemptError,
  CallReference,
  Cut,
  DroppedOutput,
  EventData,
  EventOf,
  FileOperations,
  LadderRung,
  LadderUse,
  Pin,
  ProviderEditSummary,
  Reinjected,
  RequestedPlan,
  SessionDescription,
  SkipReason,
  SummarizerIdentity,
  Trigger,
} from './events.js';
import type { MeasuredMessage } from './facts.js';
import type { Marks } from './marks.js';
import type { SessionProtection } from './protection.js';
import type { RequestParts, RequestRecord } from './request-parts.js';
import type { TurnRetention } from './retention.js';

/** The start of the context: the newest compaction, reset or fork in force. Older ones are never rendered. */
export type Pivot = {
  readonly kind: 'compaction' | 'reset' | 'fork';
  readonly compactionId: CompactionId;
  readonly revision: Revision;
  readonly summary: string | null;
  readonly summaryTokens: Tokens;
  /** Restored content behind it. */
  readonly reinjected: readonly Reinjected[];
  /** Result of the quote check; `undefined` without one. */
  readonly quotes: QuoteCheck | undefined;
  /** Counted tokens that it, and the compactions before it that are in force, take out of every request. */
  readonly countedSaved: Tokens;
  /** Absent after a reset, which retains nothing from before it. */
  readonly cut: Cut | undefined;
  /** The turn in which it was applied. */
  readonly turn: number;
  /** The time of its application, if known. */
  readonly at: IsoTime | undefined;
  readonly retention: readonly TurnRetention[];
  readonly fileOperations: FileOperations;
  /** Data subjects of the summary and the restored content. */
  readonly subjects?: readonly SubjectRef[];
  readonly erased?: Erased;
  /** The worker and the bill; absent for imports, resets and forks. */
  readonly ran: ({ readonly attempt: number; readonly worker: string } & Paid) | undefined;
};

/** Usage and its cost, if known. */
export type Paid = { readonly usage: Usage | undefined; readonly cost: Cost | undefined };

type AttemptReference = { readonly compactionId: CompactionId; readonly attempt: number };

/** The compaction that is asked for or under way: at most one. */
export type CompactionInFlight = {
  readonly compactionId: CompactionId;
  readonly trigger: Trigger;
  readonly profile: Profile;
  readonly instructions: string | undefined;
  /** The plan of its attempts; `undefined` if it was requested without one. */
  readonly plan: RequestedPlan | undefined;
  readonly turn: number;
  /** Whether nothing has to be continued when it is done. */
  readonly willContinue: boolean;
  /** Number of messages at its request. */
  readonly messagesAtRequest: number;
  /** 0 while it waits for a worker. */
  readonly attempt: number;
  readonly worker: string | undefined;
  /** The plan of the running attempt; `undefined` while the compaction waits, and after a failed attempt. */
  readonly running: EventData<'CompactionStarted'> | undefined;
  /** Summarizer of the newest attempt; `undefined` before the first. */
  readonly summarizer: SummarizerIdentity | undefined;
  /** Lines of hooks for the summarizer of the newest attempt; empty before the first. */
  readonly contextLines: readonly string[];
  /** Number of messages at the time of its plan; without a plan, at the start of the newest attempt. */
  readonly messages: number;
  readonly lastError: AttemptError | undefined;
  /** Earliest time of the next attempt. */
  readonly retryAt: IsoTime | undefined;
};

/** Thresholds that occupancy has reached. */
export type CrossedThresholds = {
  readonly warning: boolean;
  readonly critical: boolean;
  readonly blocking: boolean;
  /** The trigger of the profile. */
  readonly trigger: boolean;
  /** Whether an automatic compaction was requested since the trigger was hit: the next one records a new hit. */
  readonly isServed: boolean;
};

/** Automatic compactions have failed too often in a row. */
type Circuit = {
  /** `half-open` allows one trial. */
  readonly is: 'open' | 'half-open';
  /** The turn and time of opening; `undefined` without a clock. */
  readonly turn: number;
  readonly since: IsoTime | undefined;
};

/** A compaction as it is asked for. */
export type WantedCompaction = Pick<
  CompactionInFlight,
  'compactionId' | 'trigger' | 'profile' | 'instructions'
>;
/** A compaction that waits: it will be asked for under its id when it may run. */
type DeferredCompaction = WantedCompaction & {
  /** The start of the deferral. */
  readonly deferredAt: Revision;
};
type ReportedOverflow = {
  /** Number of messages, and their counted tokens. */
  readonly messages: number;
  readonly tokens: Tokens;
  /** The rung that the request had gone out on. */
  readonly rung: LadderRung | undefined;
  /** Whether the session was compacted for it. */
  readonly isCompacted: boolean;
  /** Whether the request has gone out again since. */
  readonly isRetried: boolean;
  /** Whether an overflow of the same messages was reported before. */
  readonly isAgain: boolean;
};

/** The billed or provider-counted size of a context. */
export type Measure = {
  /** Billed tokens of the prompt, and of the answer if it is in the context. */
  readonly prompt: Tokens;
  readonly tokens: Tokens;
  /** Number of messages in the prompt, or of their replacements. */
  readonly messages: number;
  /** The position of the answer; `undefined` if it is not in the context, or is counted in `messages`. */
  readonly answer: number | undefined;
  /** Counted tokens of its contributions, and of omissions by stages. */
  readonly contributed: Tokens;
  readonly omittedTokens: number;
  /** Whether it was billed, and not only counted. */
  readonly isBilled: boolean;
};

type AbsentSession = { readonly status: 'absent' };
export type OpenSession = {
  readonly status: 'open';
  readonly opened: EventData<'SessionOpened'>;
  /** The current description of the session. */
  readonly description: SessionDescription;
  readonly model: string;
  readonly limits: Limits;
  /** The policy for the session's model. */
  readonly profile: Profile;
  /** The policy as it was given, for all models. */
  readonly policy: Profile;
  /** The parts of requests that are not history. */
  readonly parts: RequestParts;
  readonly leadingSystem: readonly Entry[];
  /** The messages in full: from the cut of the pivot, or from the beginning. */
  readonly entries: readonly Entry[];
  /** Tokens of `entries`, without content removed by marks. */
  readonly entriesTokens: number;
  readonly pivot: Pivot | undefined;
  /** The current turn, from 1; 0 before the first. */
  readonly turn: number;
  readonly messages: number;
  /** The newest turn that has ended; 0 before the first. */
  readonly turnCompleted: number;
  readonly compactions: number;
  /** Compactions, resets and forks that have got a name so far: the next name follows from it. */
  readonly compactionIdCount: number;
  /** The last change that voids older bills: a pivot, a model switch, a revert. */
  readonly epochSince: Revision | undefined;
  /** The newest measure of this epoch: a bill or a provider's count. */
  readonly usage: Measure | undefined;
  /** Billed sizes of single messages, from successive bills. */
  readonly measured: readonly MeasuredMessage[];
  /** The newest composed requests, including those of earlier epochs. */
  readonly requests: readonly RequestRecord[];
  /** The newest answer that was billed without a request of this session's. */
  readonly lastBilledMessageId: MessageId | undefined;
  /** The calibration of each model. */
  readonly calibrations: readonly Calibration[];
  /** The newest request: its contributions, its size, and its rung. */
  readonly request: {
    readonly contributed: Tokens;
    readonly rung: LadderRung | undefined;
    /** In billed tokens; `undefined` before the first that went out, and after a pivot. */
    readonly billedTokens: Tokens | undefined;
    /** The form in which the newest one went out; `undefined` before the first. */
    readonly format: WireFormat | undefined;
  };
  /** Consecutive newest requests on the ladder; `undefined` if the newest one was sent in full. */
  readonly ladder: LadderUse | undefined;
  /** Answers whose reasoning is bound to a request that is never sent again. */
  readonly unreplayableReasoning: readonly MessageId[];
  /** The newest overflow reported by a provider, and the reaction to it. */
  readonly overflow: ReportedOverflow | undefined;
  /** Thresholds crossed upwards and recorded, until occupancy falls below them. */
  readonly crossed: CrossedThresholds;
  readonly compaction: CompactionInFlight | undefined;
  /** The deferred compaction; `undefined` while another one is in flight. */
  readonly deferred: DeferredCompaction | undefined;
  /** The source of the hold on automatic compactions. */
  readonly hold: EventData<'CompactionsHeld'> | undefined;
  /** The last ended compaction, with its newest attempt of known outcome, for detecting duplicate results. */
  readonly ended: AttemptReference | undefined;
  /** Late results of other workers since the compaction in force: each is recorded once. */
  readonly lateResults: readonly AttemptReference[];
  /** Why the last automatic compaction was skipped: recorded once per reason. */
  readonly skipped: SkipReason['rule'] | undefined;
  /** The turn in which a compaction failed: automatic ones rest until the next. */
  readonly restingInTurn: number | undefined;
  /** Consecutive compactions that failed or made no progress. */
  readonly failures: number;
  /** Why the last compaction failed for good, until one is completed or the settings change. */
  readonly lastFailure: AttemptError | undefined;
  /** Completed compactions in a row, the newest included, that have left the session at or above its trigger. */
  readonly compactionsWithoutProgress: number;
  /** `undefined` while automatic compactions run. */
  readonly circuit: Circuit | undefined;
  readonly abandonedCalls: readonly CallReference[];
  readonly droppedOutputs: readonly DroppedOutput[];
  readonly marks: Marks;
  /** Content that every request carries, in the order in which it was pinned. */
  readonly pins: readonly Pin[];
  /** The turn that continues although a compaction is required. */
  readonly overriddenTurn: number | undefined;
  /** Answer to the newest request; `undefined` after any later event. */
  readonly lastAnswer:
    | EventOf<'RequestComposed'>
    | EventOf<'RequestRefused'>
    | EventOf<'ContextOverflowed'>
    | undefined;
  /** Number of messages when the last automatic compaction was applied, or requested after an overflow. */
  readonly automaticAt: number | undefined;
  /** The model was switched and nothing was requested of the new one yet. */
  readonly modelSwitched: boolean;
  /** The newest answer whose edits by the provider were reported. */
  readonly lastEditedResponseId: string | undefined;
  /** Turns whose reasoning the provider cleared from the newest reported request. */
  readonly reasoningClearedIn: readonly number[];
  /** The provider's edits in its last turn with edits, until a double run was recorded for them. */
  readonly providerEdited:
    | ({ readonly turn: number; readonly edits: ProviderEditSummary } & Paid)
    | undefined;
  /** The compaction with the last recorded double run. */
  readonly duplicateCompactionId: CompactionId | undefined;
  /** The last reverted compaction, until another is applied. */
  readonly reverted: CompactionId | undefined;
  /** The newest erasure of its content since the compaction in force. */
  readonly lastErasure: ErasureId | undefined;
  /** The facts that forbid to erase it. */
  readonly protection: SessionProtection;
  readonly closed: boolean;
};
export type SessionState = AbsentSession | OpenSession;

export const initialState: SessionState = { status: 'absent' };

/** Returns whether a turn is open. */
export const isInTurn = ({ turn, turnCompleted }: OpenSession): boolean => turn > turnCompleted;

export const entryOf = ({ entries, leadingSystem }: OpenSession, id: MessageId): Entry | undefined =>
  entryById(entries, id) ?? leadingSystem.find((entry) => entry.message.id === id);

/** The turns that requests carry as a few lines. */
export const collapsedTurns = ({ marks, entries }: OpenSession): ReadonlySet<number> => {
  if (marks.collapsed.length === 0) return NONE;
  const first = new Set(marks.collapsed.map(({ messageId }) => messageId));
  return new Set(entries.filter(({ message }) => first.has(message.id)).map(({ turn }) => turn));
};
const NONE: ReadonlySet<number> = new Set();

/** Whether a call is one of `references`; as quick for many of them as for one. */
export const isCallAmong = (
  references: readonly CallReference[],
): ((messageId: MessageId, callId: string) => boolean) => {
  const calls = new Map<MessageId, Set<string>>();
  for (const { messageId, callId } of references) {
    const known = calls.get(messageId);
    if (known) known.add(callId);
    else calls.set(messageId, new Set([callId]));
  }
  return (messageId, callId) => calls.size > 0 && (calls.get(messageId)?.has(callId) ?? false);
};
