import type { MessageId, ModelName, NonEmpty, Positive, Tokens } from '@app/kernel';
import type { Calibration } from '../../budget/calibration/calibration.js';
import type { Limits } from '../../budget/limits.js';
import type { WireFormat } from '../../message/wire.js';
import type { Profile } from '../../profiles/profile.js';
import type { Entry } from '../entry.js';
import type { CallReference, DroppedOutput, LadderUse, MeasuredMessage, Pin } from '../facts.js';
import type { Marks } from '../marks.js';
import type { SessionProtection } from '../protection.js';
import type { OpeningParts, RequestRecord } from '../request-parts.js';
import type { CompactionHold } from './deferral-events.js';
import type { Opened, SessionDescription } from './session-opened.js';

/** All that a reader needs so that nothing before the cut must ever be read again. */
export type OpeningState = {
  readonly opened: Opened;
  /** The description of the session, if it changed since the session was opened. */
  readonly description?: SessionDescription;
  readonly model: ModelName;
  readonly limits: Limits;
  readonly profile: Profile;
  /** Request parts other than the history, if changed since the session was opened. */
  readonly parts?: OpeningParts;
  /** System messages from the head of the session: part of the system prompt, and never compacted. */
  readonly leadingSystem: readonly Entry[];
  /** The message that began the split turn: it stays word for word, although the cut is behind it. */
  readonly carried?: Entry;
  /** Messages before the cut, and the turn number at the cut. */
  readonly messagesBefore: number;
  readonly turnAtCut: number;
  /** Calls among the retained messages that were abandoned, or whose output was dropped. */
  readonly abandonedCalls: readonly CallReference[];
  readonly droppedOutputs: readonly DroppedOutput[];
  /** Absent without marks. */
  readonly marks?: Marks;
  readonly turnCompleted: number;
  /** Absent in events from before there were pins. */
  readonly pins?: readonly Pin[];
  /** Where automatic compactions wait. */
  readonly hold?: CompactionHold;
  /** The retention period and the legal holds; absent without any. */
  readonly protection?: SessionProtection;
  /** Number of all messages, if the newest retained one does not determine it. */
  readonly messages?: number;
  /** The newest answer whose edits by the provider were reported. */
  readonly lastEditedResponseId?: NonEmpty;
  /** The calibration of each model; absent without any. */
  readonly calibrations?: readonly Calibration[];
  /** Billed sizes of retained messages; absent without any. */
  readonly measured?: readonly MeasuredMessage[];
  /** The newest requests, for matching their bills; absent without any. */
  readonly requests?: readonly RequestRecord[];
  /** The newest answer that was billed without a request of this session's. */
  readonly lastBilledMessageId?: MessageId;
  /** Tokens of the contributions to the newest request; absent for 0. */
  readonly contributed?: Tokens;
  /** Consecutive newest requests on the ladder; absent if the newest one was sent in full. */
  readonly ladder?: LadderUse;
  /** Retained answers whose reasoning is bound to a request that is never sent again; absent without any. */
  readonly unreplayableReasoning?: readonly MessageId[];
  /** The form of the newest request; absent before the first. */
  readonly format?: WireFormat;
  /** Number of compactions, resets and forks with an id so far; absent in imported ones. */
  readonly compactionIdCount?: number;
  /** Compactions in a row that have left the session at or above its trigger, this one included; absent where this one has not. */
  readonly compactionsWithoutProgress?: Positive;
  /** Consecutive failures before this compaction, if it left the session at or above its trigger; absent for 0. */
  readonly failures?: Positive;
  /** This one included. */
  readonly compactions: number;
  /** Counted tokens saved in every later request by the compactions in force; absent for 0. */
  readonly countedSaved?: Tokens;
};
