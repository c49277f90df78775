import {
  downgradeReasoning,
  type FinishedSummary,
  factList,
  frameSummary,
  mayTruncate,
  truncateSummary,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SummaryResult, TokenCounter } from '@app/ports';
import type { SummaryTask } from './summary-request.js';

const FACTS_HEADING = '\n\n## Facts\n';

/**
 * A summarizer's output as it is to stand in the context: without marks of reasoning, with the facts that the policy
 * wants kept, and in the last attempt no longer than it may be.
 */
export const finishSummary = (
  { text, finish }: SummaryResult,
  task: SummaryTask,
  counter: TokenCounter,
): FinishedSummary => {
  const { plan, attempt, compactionId } = task;
  const covered = plan.covered.map((entry) => entry.message);
  const downgraded = downgradeReasoning(text, covered);
  const size = (summary: string): Tokens => Tokens(counter.count(frameSummary(summary, compactionId)));
  const fits = (summary: string): boolean => size(summary) <= plan.summaryMax;
  const whole = size(downgraded.text);
  const isTooLong = whole > plan.summaryMax && finish === 'stop' && mayTruncate(attempt, plan.profile);
  const truncated = isTooLong ? truncateSummary(downgraded.text, fits) : undefined;
  const finished = truncated ?? withFacts(downgraded.text, task, fits);
  const { marks, blocks } = downgraded.references;
  return {
    text: finished,
    finish,
    tokens: Tokens(counter.count(finished)),
    framedTokens: size(finished),
    ...(truncated !== undefined && { truncatedFrom: whole }),
    ...(marks + blocks > 0 && { reasoning: downgraded.references }),
  };
};

/** Whole lines, the weightiest first, as far as there is room. */
const withFacts = (summary: string, { plan }: SummaryTask, fits: (summary: string) => boolean): string => {
  if (!plan.profile.factList || !fits(summary)) return summary;
  const retained = [...(plan.carried ? [plan.carried] : []), ...plan.retained];
  const facts = factList(
    plan.covered.map((entry) => entry.message),
    summary,
    retained.map((entry) => entry.message),
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
