import type { OutcomeView, PlanView } from '@app/application';
import { reasonText, renderPlan } from './plan-view.js';

export const renderOutcome = (plan: PlanView, view: OutcomeView): string => {
  switch (view.outcome) {
    case 'completed': {
      const { compactionId, billedBefore, billedAfter, summary } = view;
      const share = Math.round((1 - billedAfter / Math.max(1, billedBefore)) * 100);
      const head = `${compactionId}: ${billedBefore} billed tokens became ${billedAfter} (${share} % less)`;
      return [renderPlan(plan), '', head, ...(summary === null ? [] : ['', summary])].join('\n');
    }
    case 'failed':
      return `the compaction failed after ${view.attempts} attempts: ${view.error.detail} [${view.error.rule}]; the context is as it was`;
    case 'skipped':
      return `nothing to compact: ${reasonText(view.reason)}`;
    case 'cancelled':
      return `the compaction was given up (${view.by}): ${view.reason}; the context is as it was`;
  }
};
