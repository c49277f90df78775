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
import { type SummaryTask, toldIn, wayBackIn } from './summary-request.js';

const FACTS_HEADING = '\n\n## Facts\n';

/**
 * A summarizer's output as it is to stand in the context: without marks of reasoning, with the facts that the policy
 * wants kept and the user's own words behind it, and in the last attempt no longer than it may be.
 *
 * @param files those to be listed behind it; absent where the output lists them itself.
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
    Tokens(counter.count(frameSummary(whole(summary), compactionId, wayBackIn(task))));
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

/** Whole lines, the weightiest first, as far as there is room. */
const withFacts = (summary: string, { plan }: SummaryTask, fits: (summary: string) => boolean): string => {
  if (!plan.profile.factList || !fits(summary)) return summary;
  const facts = factList(toldIn(plan, plan.covered), summary, toldIn(plan, retainedThen(plan)));
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
