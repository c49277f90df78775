import type { Entry } from '../session/entry.js';

/** The messages of one turn that are there, by their places: from `start` up to, without, `end`. */
export type TurnRun = { readonly turn: number; readonly start: number; readonly end: number };

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
