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
import { withFileFooter } from './file-footer.js';
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
