import type { TokenCounter } from '@app/ports';

/** Returns a constant: other benchmarks measure counting, and sizes must not depend on content. */
export const constantCounter: TokenCounter = {
  estimator: 'bench/quarter',
  count: (text) => Math.ceil(text.length / 4),
};

/** Returns a number at constant length, so that all turns have the same size. */
export const padded = (number: number): string => String(number).padStart(8, '0');

const SENTENCES = [
  'The parser now keeps the comment that stands before a declaration.',
  'Two tests fail because the fixture still holds the old shape of the index.',
  'I will look at the module that writes the file before I change its caller.',
  'The retry reads its limit from the settings, and those were never loaded.',
  'Every request to the second server waits for the first to give up.',
  'It works for empty input, for one line, and for a file of a megabyte.',
] as const;

/** English prose of exactly `length` characters, deterministic by `seed`. */
export const prose = (seed: number, length: number): string => {
  let text = '';
  for (let at = seed; text.length < length; at += 1) text += `${SENTENCES[at % SENTENCES.length]} `;
  return text.slice(0, length);
};
