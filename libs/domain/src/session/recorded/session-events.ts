import type {
  CompactionId,
  IsoTime,
  LogPositionText,
  ModelName,
  NonEmpty,
  Revision,
  SessionId,
  SubjectRef,
  Tokens,
} from '@app/kernel';
import type { Limits, StateThresholds } from '../../budget/limits.js';
import type { Erased, OfSubjects } from '../../message/subjects.js';
import type { Profile } from '../../profiles/profile.js';
import type { QuoteCheck } from '../../quotes/user-text.js';
import type { Cut, FileOperations, Reinjected, RequestSizes } from '../facts.js';
import type { TurnRetention } from '../retention.js';
import type { OpeningState } from './opening-state.js';

/** Data of events by type. */
export type LifecycleEvents = {
  /** The settings from now on: every field of the policy, and the names of the changed ones. */
  SettingsChanged: { profile: Profile; limits: Limits; changed: readonly NonEmpty[] };
  /** The session has another model; usage of the previous one no longer measures requests. */
  ModelSwitched: {
    from: string;
    model: ModelName;
    limits: Limits;
    occupancyAfter: Tokens;
    /** The thresholds from now on. */
    thresholds: StateThresholds;
  };
  /** A caller cleared the history down to the current user input. The log keeps all events. */
  SessionReset: OfSubjects &
    RequestSizes & {
      /** Names the reset as a compaction is named: it can be reverted like one. */
      compactionId: CompactionId;
      reason: string;
      turn: number;
      clearedMessages: number;
      /** By the clock of the process that was asked for it. */
      at?: IsoTime;
      opening: OpeningState;
    };
  /** The session begins with the context of another one, which is copied before this event. */
  SessionForked: OfSubjects & {
    compactionId: CompactionId;
    from: { readonly sessionId: SessionId; readonly revision: Revision };
    summary: string | null;
    summaryTokens: Tokens;
    /** Restored content behind the summary; absent without any. */
    reinjected?: readonly Reinjected[];
    /** Result of the summary's quote check. */
    quotes?: QuoteCheck;
    cut: Cut | null;
    retention: readonly TurnRetention[];
    fileOperations: FileOperations;
    occupancyAfter: Tokens;
    opening: OpeningState;
  };
  /** The session accepts no more messages; it stays readable. */
  SessionClosed: OfSubjects & { reason: string };
  /**
   * Content of the session was destroyed with its keys: its earlier content reads as erased. The rest of the
   * session is read anew.
   */
  ContentErased: Erased & {
    /** The erased subject; absent where all content of the session was erased. */
    subject?: SubjectRef;
    turn: number;
    /** Whether title, project and labels were among the content. */
    isDescriptionErased: boolean;
    /** The compaction that is still in force, if any, and the number of them; billed tokens of the next request. */
    restored: CompactionId | null;
    compactions: number;
    occupancyAfter: Tokens;
  };
  /**
   * An operator skipped one event of this session in a projection that could not write its row: the projection lacks
   * that event.
   */
  ProjectionSkipped: {
    projection: NonEmpty;
    /** Revision and log position of the skipped event; the position as a decimal number. */
    revision: Revision;
    position: LogPositionText;
    reason: string;
  };
};
