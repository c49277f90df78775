import { startsTurn } from '../message/index.js';
import type { Entry } from '../session/entry.js';
import type { OpenSession } from '../session/state.js';

/** The messages of one turn that are there, by their places: from `start` up to, without, `end`. */
type TurnRun = { readonly turn: number; readonly start: number; readonly end: number };

/** Parts entries into their turns, oldest first. */
export const turnsOf = (entries: readonly Entry[]): readonly TurnRun[] => {
  const turns: TurnRun[] = [];
  for (let start = 0; start < entries.length; ) {
    const turn = entries[start]?.turn ?? 0;
    let end = start + 1;
    while (end < entries.length && entries[end]?.turn === turn) end += 1;
    turns.push({ turn, start, end });
    start = end;
  }
  return turns;
};

/**
 * Returns the first of `count` indexes for which `holds` is true; `count` if there is none. `holds` must be
 * monotonic.
 */
export const firstPlace = (count: number, holds: (place: number) => boolean): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The message that began the turn which a cut at `at` splits; it stays, although it is behind the cut. */
export const carriedAt = (session: OpenSession, at: number): Entry | undefined => {
  if (at === 0) return carriedBefore(session);
  const first = session.entries[at];
  if (!first || startsTurn(first.message)) return undefined;
  return turnStartOf(session.entries, at);
};

/** The message that the compaction in force carries. */
export const carriedBefore = ({ pivot, entries: [first] }: OpenSession): Entry | undefined =>
  pivot && first && first.revision < (pivot.cut ?? pivot).revision ? first : undefined;

/** Returns the first message of the turn of the entry at `at`, if it is still in the context. */
export const turnStartOf = (entries: readonly Entry[], at: number): Entry | undefined => {
  const turn = entries[at]?.turn ?? 0;
  const first = entries[firstPlaceOfTurn(entries, turn)];
  return first && startsTurn(first.message) ? first : undefined;
};

/** Returns the index of the first entry of a turn, else of the next turn in the context. */
export const firstPlaceOfTurn = (entries: readonly Entry[], turn: number): number =>
  firstPlace(entries.length, (place) => (entries[place]?.turn ?? turn) >= turn);
