import type { Event, RequestId, Revision, Tokens } from '@app/kernel';
import type { Calibration } from '../../budget/calibration/calibration.js';
import type { BudgetState } from '../../budget/state.js';
import type { NoteCount } from '../../context/wire/count-notes.js';
import type { WireFormat } from '../../context/wire/wire.js';
import type { ContributionSize, FloorPart, LadderRung } from '../facts.js';

/** Why a request may not go out. Each is a pause of the session and never its end. */
export type RefusalReason =
  /** Occupancy is critical, and nothing is under way that would change it. */
  | 'compaction-required'
  /** A compaction is asked for or under way: its outcome decides. */
  | 'compaction-in-flight'
  /** Occupancy is blocking, and nothing is under way that would change it. */
  | 'blocking';
/**
 * What helps: wait for the compaction, ask for one, clear the history, send less besides the session, say that this
 * turn goes on nevertheless.
 */
export type WayOut = 'wait' | 'compact' | 'reset' | 'less-context' | 'override';

/** Proof of what the model was to see: a request went out. It changes nothing of the context. */
export type RequestComposed = Event<
  'RequestComposed',
  {
    /** Names the request wherever something is said of it: its bill, its bytes. */
    requestId: RequestId;
    format: WireFormat;
    /** Of the session as it was composed from: everything up to it is in the request. */
    revision: Revision;
    turn: number;
    /** Billed tokens of the request: as they were billed, and estimated where nothing was billed yet. */
    occupancy: Tokens;
    /** Counted tokens of the same, before a rung of the ladder. */
    counted: Tokens;
    window: Tokens;
    state: BudgetState;
    /** Compactions completed by then. */
    epoch: number;
    /** What was applied to the manifest on its way out, in this order. */
    stages: readonly string[];
    /** What composing did beyond copying, counted. */
    notes: readonly NoteCount[];
    /** Counted tokens by which it is smaller than it would be without compactions; absent where that is nothing. */
    countedSaved?: Tokens;
    /** SHA-256 of the exact JSON body, hexadecimal. */
    digest: string;
    /** What it carries besides the session; absent where that is nothing. */
    contributions?: readonly ContributionSize[];
    /** Context providers that had nothing to give because they failed. */
    failedProviders?: readonly string[];
    /** Where no compaction could make room: the lowest rung, what it left out, and the tokens of what went out. */
    ladder?: {
      readonly rung: LadderRung;
      readonly masked: number;
      readonly droppedGroups: number;
      readonly tokens: Tokens;
    };
  }
>;

/** Why a provider did not count: time ran out, no server answered, it refused, or nobody has a key for it. */
export type CountFailure = 'timed-out' | 'unreachable' | 'refused' | 'no-key';

/**
 * The provider was asked for the size of the next request, because the estimate was in doubt; whose count decides, and what
 * the estimate was.
 */
export type RequestCounted = Event<
  'RequestCounted',
  {
    turn: number;
    model: string;
    counter: 'provider' | 'estimate';
    /** Of the whole request, by that counter. */
    tokens: Tokens;
    estimated: Tokens;
    /** How many of them are of contributions, as counted here. */
    contributed: Tokens;
    /** Why the estimate decides. */
    failure?: CountFailure;
    /** What is known of the model's tokens from now on; absent where the count teaches nothing. */
    calibration?: Calibration;
  }
>;

/** No request went out: why, and the ways out. */
export type RequestRefused = Event<
  'RequestRefused',
  {
    reason: RefusalReason;
    turn: number;
    state: BudgetState;
    occupancy: Tokens;
    threshold: Tokens;
    window: Tokens;
    waysOut: readonly WayOut[];
    /** What the request would have carried besides the session; absent where that is nothing. */
    contributions?: readonly ContributionSize[];
  }
>;

/** A provider refused the newest request as too large, whatever was counted here. */
export type OverflowReported = Event<'OverflowReported', { turn: number; tokens: Tokens }>;

/** Retries and ladder are used up: no request of this turn fits. The session is as it was. */
export type ContextOverflow = Event<
  'ContextOverflow',
  {
    turn: number;
    because: 'ladder-used-up' | 'overflowed-again';
    /** The lowest rung that was taken; `none` where none could leave out anything, or none was tried. */
    rung: LadderRung | 'none';
    /** Of the request on that rung. */
    tokens: Tokens;
    /** What it had to fit; `null` where no window is known. */
    budget: Tokens | null;
    /** What no rung can leave out, part by part. */
    parts: readonly FloorPart[];
  }
>;

/** Somebody has said that this one turn goes on although a compaction is required. */
export type CompactionOverridden = Event<
  'CompactionOverridden',
  { turn: number; reason: string; occupancy: Tokens; threshold: Tokens }
>;
