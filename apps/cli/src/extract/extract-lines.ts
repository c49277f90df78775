import { jsonText, readLines } from '@app/formats';
import { AppError } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { extractQuestion } from './extract-question.js';

/** Result of a line: its answer as a line of JSON, or an error. */
export type ExtractAnswer =
  | { readonly line: number; readonly answer: string }
  | { readonly line: number; readonly refused: string };

const CHARACTERS_PER_TOKEN = 4;
/** Counts four characters as one token: the same result on every machine and for every model. */
const counter: TokenCounter = {
  estimator: 'characters/4',
  count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
};

/**
 * Answers questions line by line, in order; skips blank lines. An invalid line is answered with an error and does not
 * affect the next lines.
 */
export async function* extractLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExtractAnswer> {
  const { summarizerAlone } = await import('@app/adapters/summarizer-extractive');
  const summarize = summarizerAlone(counter);
  for await (const { number: line, text, reason } of readLines(bytes)) {
    if (text?.trim() === '') continue;
    try {
      if (text === undefined) throw new AppError('invalid-message', `it ${reason ?? 'is not text'}`);
      const { id, budget: sizeMax, messages: all, ...more } = extractQuestion(text);
      const messages = all.filter(({ role }) => role !== 'system');
      yield { line, answer: jsonText({ id, summary: await summarize({ messages, sizeMax, ...more }) }) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield { line, refused: error.message };
    }
  }
}
