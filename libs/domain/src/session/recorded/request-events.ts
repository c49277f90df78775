import type { Event, Revision, Tokens } from '@app/kernel';
import type { BudgetState } from '../../budget/state.js';
import type { NoteCount } from '../../context/wire/count-notes.js';
import type { WireFormat } from '../../context/wire/wire.js';

/** Why a request may not go out. Each is a pause of the session and never its end. */
export type RefusalReason =
  /** Occupancy is critical, and nothing is under way that would change it. */
  | 'compaction-required'
  /** A compaction is asked for or under way: its outcome decides. */
  | 'compaction-in-flight'
  /** Occupancy is blocking, and nothing is under way that would change it. */
  | 'blocking';
/** What helps: wait for the compaction, ask for one, clear the history, say that this turn goes on nevertheless. */
export type WayOut = 'wait' | 'compact' | 'reset' | 'override';

/** Proof of what the model was to see: a request went out. It changes nothing of the context. */
export type RequestComposed = Event<
  'RequestComposed',
  {
    format: WireFormat;
    /** Of the session as it was composed from: everything up to it is in the request. */
    revision: Revision;
    turn: number;
    /** Occupancy. */
    tokens: Tokens;
    window: Tokens;
    state: BudgetState;
    /** Compactions completed by then. */
    epoch: number;
    /** What was applied to the manifest on its way out, in this order. */
    stages: readonly string[];
    /** What composing did beyond copying, counted. */
    notes: readonly NoteCount[];
    /** SHA-256 of the exact JSON body, hexadecimal. */
    digest: string;
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
  }
>;

/** Somebody has said that this one turn goes on although a compaction is required. */
export type CompactionOverridden = Event<
  'CompactionOverridden',
  { turn: number; reason: string; occupancy: Tokens; threshold: Tokens }
>;
