import { invariant, type Revision } from '@app/kernel';
import { startsTurn } from '../message/index.js';
import type { Entry } from '../session/entry.js';
import { growInPlace } from '../session/grow.js';
import { initialState, type SessionState } from '../session/state.js';
import { entryFrom, evolveBy, withResetThresholds } from './evolve.js';
import { reopen } from './opening.js';
import { type PivotEvent, type Placed, pivotFactsOf } from './pivots.js';

/** The part of a stream that a state is rebuilt from, in the order of the stream. */
export type Tail = {
  /** The newest pivot in force, and the events from its cut up to it; `undefined` without one. */
  readonly pivot:
    | {
        readonly event: PivotEvent;
        readonly revision: Revision;
        readonly before: readonly Placed[];
      }
    | undefined;
  /** Everything after the pivot, or the whole stream; compactions that were reverted left out. */
  readonly after: readonly Placed[];
};

/**
 * Returns the state of the whole stream, computed from its newest compaction on without reading events before the
 * cut.
 */
export const rebuild = ({ pivot, after }: Tail): SessionState => {
  const start = pivot
    ? withResetThresholds(reopen(pivotFactsOf(pivot.event), pivot.revision, retainedEntries(pivot)))
    : initialState;
  return fold(start, after);
};

const retainedEntries = ({ event: pivot, before }: NonNullable<Tail['pivot']>): Entry[] => {
  const { opening, compactionId, cut } = pivotFactsOf(pivot);
  if (!cut) return [];
  const entries: Entry[] = [];
  let at = { turn: opening.turnAtCut, messages: opening.messagesBefore };
  for (const { event, revision, withdrawn } of before) {
    if (event.type !== 'MessageAppended') continue;
    // The number of the first one's turn is known; the message that begins a turn would count it again.
    if (entries.length === 0 && startsTurn(event.data.message)) at = { ...at, turn: at.turn - 1 };
    const entry = entryFrom(event, revision, at);
    if (!withdrawn) entries.push(entry);
    at = { turn: entry.turn, messages: at.messages + 1 };
  }
  invariant(entries.length > 0, `nothing is retained after the cut of ${compactionId}`);
  return entries;
};

/** `evolve` for one event after the other, in linear time: lists that events add to are this fold's own. */
export const fold = (start: SessionState, events: Iterable<Placed>): SessionState => {
  const grow = growInPlace();
  let state = start;
  for (const placed of events) state = evolveBy(grow, state, placed);
  return state;
};
