import { answer, call, type Reply } from '@app/testing/providers';

/** Turns of the run, each with one rule of the user and three pages of the report. */
const TURNS = 30;
const PAGES = 3;

const VERBS = ['name', 'sum', 'round', 'quote', 'check', 'sort'];
export const RULES: readonly string[] = Array.from(
  { length: TURNS },
  (_, at) =>
    `Always ${VERBS[at % VERBS.length]} station ${1_000 + 37 * at} before station ${2_000 + 53 * at}.`,
);
/** Tasks that the user takes back or that are finished later. */
export const ENDED_TASKS: readonly string[] = ['the bridge at Oldtown', 'the table of storms'];
const TASKS: Readonly<Record<number, string>> = {
  4: 'Also check the bridge at Oldtown.',
  8: 'Cancel the check of the bridge at Oldtown, it is no longer needed.',
  11: 'Also write the table of storms.',
  14: 'The table of storms is done, thank you.',
};
export const PROMPTS: readonly string[] = RULES.map((rule, at) =>
  [`Turn ${at + 1}: read the next three pages.`, rule, TASKS[at] ?? ''].join(' ').trim(),
);

/** The answers of a model that reads three pages in each turn, with one call a request. */
export const readingModel = (): (() => Reply) => {
  let step = 0;
  return () => {
    step += 1;
    const turn = Math.ceil(step / (PAGES + 1));
    const place = step - (turn - 1) * (PAGES + 1);
    if (place > PAGES) return answer(`Turn ${turn} is done.`);
    return answer(call('read_page', { page: (turn - 1) * PAGES + place }, `call_${step}`));
  };
};
export const CALLS = TURNS * PAGES;
export const LAST_ANSWER = `Turn ${TURNS} is done.`;

/** An input of twice the window of 16,000 tokens. */
export const OVERSIZED = `Turn 1: read this. ${Array.from({ length: 9_000 }, (_, at) => `word${at}`).join(' ')}`;
