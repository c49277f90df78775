import { excerptsOf } from '../text/excerpts.js';
import type { Candidate } from './candidates.js';

/** Maximum lines per name that are searched for excerpts, in list order. */
const LINES_PER_NAME = 4;

/** Excerpts with the names that are wanted, as candidates beside the lines that they are from. */
export const excerptsFrom = (
  candidates: readonly Candidate[],
  wanted: ReadonlySet<string>,
): readonly Candidate[] => {
  const looked = new Map<string, number>();
  const byText = new Map<string, Candidate>();
  const isWanted = (key: string): boolean => wanted.has(key);
  for (const candidate of candidates) {
    if (!isAmongFirst(candidate.keys.filter(isWanted), looked)) continue;
    for (const { text, keys } of excerptsOf(candidate.text, isWanted))
      if (!byText.has(text))
        byText.set(text, { ...candidate, text, keys, isWorded: true, of: candidate.text });
  }
  return [...byText.values()];
};

/** Whether a line is among the first with one of its keys; counts it. */
const isAmongFirst = (keys: readonly string[], looked: Map<string, number>): boolean => {
  let isFirst = false;
  for (const key of keys) {
    const count = looked.get(key) ?? 0;
    if (count >= LINES_PER_NAME) continue;
    looked.set(key, count + 1);
    isFirst = true;
  }
  return isFirst;
};
