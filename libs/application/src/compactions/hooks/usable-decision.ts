import { isWellFormed } from '@app/kernel';
import type { HookDecision } from '@app/ports';

/** Maximum UTF-16 units of a recorded reason. */
const REASON_MAX = 1_000;
/** Maximum of lines of all hooks together: they use space in the summarizer's window and are recorded for each attempt. */
const CONTEXT_LINES_MAX = 20;
/** In UTF-16 units. */
const CONTEXT_LINE_MAX = 1_000;

/** A hook has returned an invalid answer. */
class UnusableHookAnswer extends Error {
  override readonly name = 'UnusableHookAnswer';
}

/**
 * Validates the answer of a hook, which may come from outside this process.
 *
 * @param asked the size of the plan, and the number of context lines of earlier hooks.
 * @throws {UnusableHookAnswer} for an invalid answer.
 */
export const usable = (
  answer: HookDecision,
  asked: { readonly isSummarized: boolean; readonly linesBefore: number },
): HookDecision => {
  switch (answer.decision) {
    case 'continue':
      if (answer.context === undefined || areLines(answer.context, CONTEXT_LINES_MAX - asked.linesBefore))
        return answer;
      throw new UnusableHookAnswer('context lines that cannot be recorded');
    case 'cancel':
      if (isText(answer.reason, REASON_MAX)) return answer;
      throw new UnusableHookAnswer('a reason that cannot be recorded');
    case 'summary':
      if (asked.isSummarized && typeof answer.summary === 'string') return answer;
      throw new UnusableHookAnswer(
        asked.isSummarized ? 'a summary that is no text' : 'a summary where none is needed',
      );
    default:
      throw new UnusableHookAnswer('a decision that there is not');
  }
};

const areLines = (lines: unknown, countMax: number): boolean =>
  Array.isArray(lines) &&
  lines.length <= countMax &&
  lines.every((line: unknown) => isText(line, CONTEXT_LINE_MAX) && !LINE_BREAK.test(line));

const isText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && value.length <= lengthMax && isWellFormed(value);

/** Line breaks according to Unicode. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
