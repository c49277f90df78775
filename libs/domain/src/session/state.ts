import type { CompactionId, IsoTime, MessageId, Revision, Tokens } from '@app/kernel';
import type { Calibration } from '../budget/calibration/calibration.js';
import type { Limits } from '../budget/limits.js';
import type { WireFormat } from '../message/wire.js';
import type { Cost } from '../models/cost.js';
import type { Usage } from '../models/usage.js';
import type { Profile } from '../profiles/profile.js';
import type { QuoteCheck } from '../quotes/said.js';
import type { Entry } from './entry.js';
import { entryById } from './entry-index.js';
import type {
  AttemptError,
  CallReference,
  CompactionStarted,
  CompactionsHeld,
  ContextOverflowed,
  Cut,
  DroppedOutput,
  FileOperations,
  LadderRung,
  LadderUse,
  Pin,
  ProviderEditSummary,
  Reinjected,
  RequestComposed,
  RequestedPlan,
  RequestRefused,
  SessionDescription,
  SessionOpened,
  SkipReason,
  SummarizerIdentity,
  Trigger,
} from './events.js';
import type { MeasuredMessage } from './facts.js';
import type { Marks } from './marks.js';
import type { RequestParts } from './request-parts.js';
import type { RequestRecord } from './request-record.js';
import type { TurnRetention } from './retention.js';

/** What the context begins with: the newest completed compaction, reset or fork that is in force. It alone is rendered. */
export type Pivot = {
  readonly kind: 'compaction' | 'reset' | 'fork';
  readonly compactionId: CompactionId;
  readonly revision: Revision;
  readonly summary: string | null;
  readonly summaryTokens: Tokens;
  /** What is given again behind it. */
  readonly reinjected: readonly Reinjected[];
  /** What came of the summary's quotes; `undefined` where nobody has checked them. */
  readonly quotes: QuoteCheck | undefined;
  /** Counted tokens that it, and the compactions before it that are in force, take out of every request. */
  readonly countedSaved: Tokens;
  /** Absent after a reset, which retains nothing from before it. */
  readonly cut: Cut | undefined;
  /** The turn in which it came into force. */
  readonly turn: number;
  /** When, where that is known. */
  readonly at: IsoTime | undefined;
  readonly retention: readonly TurnRetention[];
  readonly fileOperations: FileOperations;
  /** Who made it, and what was billed for it; absent where it is no compaction of this session. */
  readonly ran: ({ readonly attempt: number; readonly worker: string } & Paid) | undefined;
};

/** What was billed for something, and what that came to, where it is known. */
export type Paid = { readonly usage: Usage | undefined; readonly cost: Cost | undefined };

type AttemptReference = { readonly compactionId: CompactionId; readonly attempt: number };

/** The compaction that is asked for or under way: at most one. */
export type CompactionInFlight = {
  readonly compactionId: CompactionId;
  readonly trigger: Trigger;
  readonly profile: Profile;
  readonly instructions: string | undefined;
  /** What its attempts do; `undefined` where it was asked for without one. */
  readonly plan: RequestedPlan | undefined;
  readonly turn: number;
  /** Whether nothing has to be continued when it is done. */
  readonly willContinue: boolean;
  /** How many messages there were when it was asked for. */
  readonly messagesAtRequest: number;
  /** 0 while it waits for a worker. */
  readonly attempt: number;
  readonly worker: string | undefined;
  /** What the running attempt set out to do; `undefined` while it waits, and after a failed attempt. */
  readonly running: CompactionStarted['data'] | undefined;
  /** Who summarizes, or did, in the newest attempt; `undefined` before the first. */
  readonly summarizer: SummarizerIdentity | undefined;
  /** What hooks wanted the summarizer of the newest attempt to know besides; none before the first. */
  readonly contextLines: readonly string[];
  /** How many messages there were when its plan was made; without one, when the newest attempt began. */
  readonly messages: number;
  readonly lastError: AttemptError | undefined;
  /** When the next attempt begins at the earliest. */
  readonly retryAt: IsoTime | undefined;
};

/** Thresholds that occupancy has reached. */
export type CrossedThresholds = {
  readonly warning: boolean;
  readonly critical: boolean;
  readonly blocking: boolean;
  /** The trigger of the profile. */
  readonly trigger: boolean;
  /** Whether an automatic compaction was asked for since the trigger was hit: the next one is announced anew. */
  readonly isServed: boolean;
};

/** Automatic compactions have failed too often in a row. */
type Circuit = {
  /** `half-open` allows one trial. */
  readonly is: 'open' | 'half-open';
  /** In which turn it opened, and when; `undefined` where no clock was told. */
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
  /** Where its wait began. */
  readonly deferredAt: Revision;
};
type ReportedOverflow = {
  /** How many messages there were, and what they took as counted here. */
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

/** What a provider has billed, or counted, of a context. */
export type Measure = {
  /** Billed tokens of the prompt; and with the answer, where that is in the context. */
  readonly prompt: Tokens;
  readonly tokens: Tokens;
  /** How many messages the prompt carried, or what stands for them. */
  readonly messages: number;
  /** The position of the answer; `undefined` where that is not in the context, or is among the messages. */
  readonly answer: number | undefined;
  /** Counted tokens of contributions in it, and of what stages left out of it. */
  readonly contributed: Tokens;
  readonly omittedTokens: number;
  /** Whether it was billed, and not only counted. */
  readonly isBilled: boolean;
};

type AbsentSession = { readonly status: 'absent' };
export type OpenSession = {
  readonly status: 'open';
  readonly opened: SessionOpened['data'];
  /** What the session is called now. */
  readonly description: SessionDescription;
  readonly model: string;
  readonly limits: Limits;
  /** The policy as it holds for the session's model. */
  readonly profile: Profile;
  /** The policy as it was given, for all models. */
  readonly policy: Profile;
  /** The parts of requests that are not history. */
  readonly parts: RequestParts;
  readonly leadingSystem: readonly Entry[];
  /** What stays in full: from the cut of the pivot on, or from the beginning. */
  readonly entries: readonly Entry[];
  /** Tokens of `entries`, less what is marked in them. */
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
  /** What happened last that voids all older bills: a pivot, a switch of the model, a revert. */
  readonly epochSince: Revision | undefined;
  /** What the newest bill of this epoch says of the context, or a provider's count of it. */
  readonly usage: Measure | undefined;
  /** Billed tokens of single messages of the context, as successive bills have told them. */
  readonly measured: readonly MeasuredMessage[];
  /** The newest requests that were composed, those of earlier epochs among them. */
  readonly requests: readonly RequestRecord[];
  /** The newest answer that was billed without a request of this session's. */
  readonly lastBilledMessageId: MessageId | undefined;
  /** What was learned of the tokens of each model that has answered. */
  readonly calibrations: readonly Calibration[];
  /** The newest request that was asked for: what it carried besides the session, its size, and the rung that it went out on. */
  readonly request: {
    readonly contributed: Tokens;
    readonly rung: LadderRung | undefined;
    /** In billed tokens; `undefined` before the first that went out, and after a pivot. */
    readonly billedTokens: Tokens | undefined;
    /** The form in which the newest one went out; `undefined` before the first. */
    readonly format: WireFormat | undefined;
  };
  /** The newest requests, one after the other, that went out on the ladder; `undefined` where the newest one did not. */
  readonly ladder: LadderUse | undefined;
  /** Answers whose reasoning is bound to a request that is never sent again. */
  readonly unreplayableReasoning: readonly MessageId[];
  /** The newest overflow that a provider reported, and what was done for it. */
  readonly overflow: ReportedOverflow | undefined;
  /** Thresholds crossed upwards and recorded, until occupancy falls below them. */
  readonly crossed: CrossedThresholds;
  readonly compaction: CompactionInFlight | undefined;
  /** The one that waits for the end of the turn, or to be released; none while another is in flight. */
  readonly deferred: DeferredCompaction | undefined;
  /** On whose word automatic compactions wait. */
  readonly hold: CompactionsHeld['data'] | undefined;
  /** The newest one that ended, with its newest attempt whose outcome is known, so that a result that comes twice is. */
  readonly ended: AttemptReference | undefined;
  /** Results that came after another worker's since the compaction in force: each is recorded once. */
  readonly lateResults: readonly AttemptReference[];
  /** Why the last automatic one could not be prepared: said once, until the reason changes. */
  readonly skipped: SkipReason['rule'] | undefined;
  /** The turn in which a compaction failed: automatic ones rest until the next. */
  readonly restingInTurn: number | undefined;
  /** Compactions that failed, or came to no progress, one after the other since the last that brought the session below its trigger. */
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
  /** The turn that goes on although a compaction is required, on somebody's word. */
  readonly overriddenTurn: number | undefined;
  /** How the newest request was answered, as long as nothing has happened since. */
  readonly lastAnswer: RequestComposed | RequestRefused | ContextOverflowed | undefined;
  /** How many messages there were when an automatic compaction last came into force, or an overflow asked for one. */
  readonly automaticAt: number | undefined;
  /** The model was switched and nothing was requested of the new one yet. */
  readonly modelSwitched: boolean;
  /** The newest answer whose edits by the provider were reported. */
  readonly lastEditedResponseId: string | undefined;
  /** Turns whose reasoning the provider cleared from the newest request that it told of. */
  readonly reasoningClearedIn: readonly number[];
  /** What the provider's own context management did in the turn that it last did anything in, until that was told of as a double run. */
  readonly providerEdited:
    | ({ readonly turn: number; readonly edits: ProviderEditSummary } & Paid)
    | undefined;
  /** The compaction beside which the provider's own context management was last told of as a double run. */
  readonly duplicateCompactionId: CompactionId | undefined;
  /** The newest compaction that was reverted, until another comes into force. */
  readonly reverted: CompactionId | undefined;
  readonly closed: boolean;
};
export type SessionState = AbsentSession | OpenSession;

export const initialState: SessionState = { status: 'absent' };

/** Whether a turn has begun that nobody has ended. */
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
