import {
  downgradeReasoning,
  type FileOperations,
  type FinishedSummary,
  factList,
  frameSummary,
  mayTruncate,
  retainedThen,
  truncateSummary,
  withUsersLines,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SummaryResult, TokenCounter } from '@app/ports';
import { readBackIn, type SummaryTask, summarizerMessages } from './summary-request.js';

const FACTS_HEADING = '\n\n## Facts\n';

/**
 * Returns a summarizer's output in its final form: without reasoning marks, with the facts and user messages that the policy
 * keeps, and in the last attempt truncated to its limit.
 *
 * @param files list of files to append; absent if the output contains one.
 */
export const finishSummary = (
  { text, finish }: SummaryResult,
  task: SummaryTask,
  counter: TokenCounter,
  files?: FileOperations,
): FinishedSummary => {
  const { plan, attempt, compactionId, users } = task;
  const covered = plan.covered.map((entry) => entry.message);
  const downgraded = downgradeReasoning(text, covered);
  const whole = (summary: string): string => withUsersLines(summary, users.lines);
  const size = (summary: string): Tokens =>
    Tokens(counter.count(frameSummary(whole(summary), compactionId, readBackIn(task))));
  const fits = (summary: string): boolean => size(summary) <= plan.countedSummaryLimit;
  const before = size(downgraded.text);
  const isTooLong =
    before > plan.countedSummaryLimit && finish === 'stop' && mayTruncate(attempt, plan.profile);
  const truncated = isTooLong ? truncateSummary(downgraded.text, fits) : undefined;
  const listed =
    files && finish === 'stop' && fits(downgraded.text)
      ? withFileFooter(downgraded.text, files, fits)
      : downgraded.text;
  const finished = truncated ?? withFacts(listed, task, fits);
  const { marks, blocks } = downgraded.references;
  return {
    text: whole(finished),
    finish,
    tokens: Tokens(counter.count(whole(finished))),
    framedTokens: size(finished),
    ...(truncated !== undefined && { truncatedFrom: before }),
    ...(marks + blocks > 0 && { reasoning: downgraded.references }),
  };
};

/** Appends whole lines of facts, most important first, as far as there is room. */
const withFacts = (summary: string, { plan }: SummaryTask, fits: (summary: string) => boolean): string => {
  if (!plan.profile.factList || !fits(summary)) return summary;
  const facts = factList(
    summarizerMessages(plan, plan.covered),
    summary,
    summarizerMessages(plan, retainedThen(plan)),
  );
  let written = `${summary.trimEnd()}${FACTS_HEADING}`;
  let kept = 0;
  for (const fact of facts) {
    const longer = `${written}${kept > 0 ? '\n' : ''}${fact}`;
    if (!fits(longer)) continue;
    written = longer;
    kept += 1;
  }
  return kept > 0 ? written : summary;
};

/** Heading of the file list, which is taken from tool calls and not written by a model. */
const HEADING = '## Files (from tool calls)';

/**
 * Appends to a summary the files that tool calls have changed, deleted, renamed and read, newest first, as far as there is
 * room. Replaces a list that the model has copied from an earlier summary.
 *
 * @param fits whether a summary is within its limit.
 */
const withFileFooter = (
  summary: string,
  { read, modified, deleted = [], renamed = [] }: FileOperations,
  fits: (summary: string) => boolean,
): string => {
  const prose = withoutFooter(summary).trimEnd();
  const lines = [
    ...modified.toReversed().map((path) => `- modified: ${oneLine(path)}`),
    ...deleted.toReversed().map((path) => `- deleted: ${oneLine(path)}`),
    ...renamed.toReversed().map(({ from, to }) => `- renamed: ${oneLine(from)} -> ${oneLine(to)}`),
    ...read.toReversed().map((path) => `- read: ${oneLine(path)}`),
  ];
  const footer = (count: number): string => {
    const more = lines.length - count;
    const rest = more > 0 ? [`- and ${more} more`] : [];
    return [prose, '', HEADING, ...lines.slice(0, count), ...rest].join('\n');
  };
  const count = mostThatFit(lines.length, (some) => fits(footer(some)));
  return count === 0 ? prose : footer(count);
};

/** Returns the largest number up to `most` that fits, by binary search; 0 if none does. `fits` must be monotonic. */
const mostThatFit = (most: number, fits: (count: number) => boolean): number => {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

const withoutFooter = (summary: string): string => {
  const at = summary.startsWith(HEADING) ? 0 : summary.indexOf(`\n${HEADING}`);
  if (at < 0) return summary;
  const next = summary.indexOf('\n#', at + HEADING.length);
  return summary.slice(0, at) + (next < 0 ? '' : summary.slice(next));
};

const oneLine = (path: string): string => path.replace(/[\s\p{Cc}\p{Surrogate}]+/gu, ' ').trim();
