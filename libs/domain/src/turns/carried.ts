import { startsTurn } from '../message/index.js';
import type { Entry } from '../session/entry.js';
import type { OpenSession } from '../session/state.js';
import { firstPlace } from './first-place.js';

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
