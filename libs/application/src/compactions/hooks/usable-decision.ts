import { isWellFormed } from '@app/kernel';
import type { HookDecision } from '@app/ports';

/** In UTF-16 units. Reasons are recorded, and are for people to read. */
const REASON_MAX = 1_000;
/** Of all hooks together: they take room from the messages in the summarizer's window, and are recorded each time. */
const CONTEXT_LINES_MAX = 20;
/** In UTF-16 units. */
const CONTEXT_LINE_MAX = 1_000;

/** A hook has answered with something that no compaction can be made of. */
class UnusableHookAnswer extends Error {
  override readonly name = 'UnusableHookAnswer';
}

/**
 * The answer of a hook that may be written in any language, or none, and is held to its type here.
 *
 * @param asked what the plan needs, and how many context lines the hooks before this one have given.
 * @throws {UnusableHookAnswer} where no compaction can be made of it.
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

/** Whatever ends a line by Unicode's rules. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
