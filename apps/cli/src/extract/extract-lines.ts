import { jsonText, readLines } from '@app/formats';
import { AppError } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { extractQuestion } from './extract-question.js';

/** Result of a line: its answer as a line of JSON, or an error. */
export type ExtractAnswer =
  | { readonly line: number; readonly answer: string }
  | { readonly line: number; readonly refused: string };

const CHARACTERS_PER_TOKEN = 4;
/** Budgets are in tokens of so many characters: the same on any machine, for any model. */
const counter: TokenCounter = {
  estimator: 'characters/4',
  count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
};

/**
 * Answers questions line by line, one at a time and in their order; blank lines are passed over. A line that is no
 * question is refused, and the lines after it are not affected.
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
