import type { CompactionHook, PlannedCompaction, SummaryRequest } from '@app/ports';

export type NotingHook = {
  readonly hook: CompactionHook;
  readonly heard: readonly string[];
  readonly plans: readonly PlannedCompaction[];
  readonly contents: readonly SummaryRequest[];
  readonly outcomes: readonly object[];
};

/** A hook that records its calls, besides the behaviour that the test gives it. */
export const notingHook = (name = 'mine', does: Partial<CompactionHook> = {}): NotingHook => {
  const heard: string[] = [];
  const plans: PlannedCompaction[] = [];
  const contents: SummaryRequest[] = [];
  const outcomes: object[] = [];
  const noted: CompactionHook = {
    name,
    timeLimitMs: 60_000,
    ...does,
    before: async (plan, content, signal) => {
      heard.push('before');
      plans.push(plan);
      contents.push(content);
      return (await does.before?.(plan, content, signal)) ?? { decision: 'continue' };
    },
    after: async (outcome, content, signal) => {
      heard.push('after');
      outcomes.push(outcome, content);
      await does.after?.(outcome, content, signal);
    },
    failed: async (outcome, signal) => {
      heard.push('failed');
      outcomes.push(outcome);
      await does.failed?.(outcome, signal);
    },
  };
  return { hook: noted, heard, plans, contents, outcomes };
};
