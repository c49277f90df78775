import { answer, call, type Part, type Reply } from '@app/testing/providers';

/** Window of the model, in tokens. */
export const WINDOW = 16_000;
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

/** In every fifth turn, the model calls for its first two pages in one answer. */
const stepsOf = (turn: number): readonly (readonly number[])[] => {
  const [first = 0, second = 0, third = 0] = Array.from(
    { length: PAGES },
    (_, at) => (turn - 1) * PAGES + 1 + at,
  );
  return turn % 5 === 0 ? [[first, second], [third]] : [[first], [second], [third]];
};

/** Returns the call with which the model reads a page. */
export type ReadCall = (page: number) => Part;
/** Calls of a tool of the sample, which the model knows as `tool`. */
export const pageCalls =
  (tool = 'read_page'): ReadCall =>
  (page) =>
    call(tool, { page }, `call_${page}`);

/** The answers in a turn of a model that reads three pages. */
const repliesIn = (turn: number, read: ReadCall): readonly Reply[] => [
  ...stepsOf(turn).map((pages) => answer(...pages.map(read))),
  answer(`Turn ${turn} is done.`),
];
const turns = (from: number, to: number, read: ReadCall): readonly Reply[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((turn) => repliesIn(turn, read));

/** The answers to the {@link PROMPTS}. */
export const readingModel = (read: ReadCall): readonly Reply[] => turns(1, TURNS, read);
export const CALLS = TURNS * PAGES;
export const LAST_ANSWER = `Turn ${TURNS} is done.`;

/** An input of twice the window of 16,000 tokens times `scale`, and turns that read more than fits beside it. */
export const oversizedPrompts = (scale = 1): readonly string[] => [
  `Turn 1: read this. ${Array.from({ length: 9_000 * scale }, (_, at) => `word${at}`).join(' ')}`,
  ...PROMPTS.slice(1, 5),
];
export const OVERSIZED_ANSWERS = ['It is read.', ...[2, 3, 4, 5].map((turn) => `Turn ${turn} is done.`)];
/** The answers to the {@link oversizedPrompts}. */
export const oversizedModel = (read: ReadCall): readonly Reply[] => [
  answer('It is read.'),
  ...turns(2, 5, read),
];
