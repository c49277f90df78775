import type { PlanView } from '@app/contract';
import { type Plan, type ProfileSource, planNow, resolveProfile } from '@app/domain';
import { pick } from '@app/kernel';
import { QueryOnSession } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import type { CompactionOutcome } from '../sessions/await-outcome.js';
import { requireOpen } from '../sessions/session-ref.js';

/** Returns the plan of a compaction now, under the session's own profile or another one. Records nothing. */
export class PlanCompaction extends QueryOnSession<PlanView, ProfileSource | undefined> {}

@HandlesQuery(PlanCompaction)
export class PlanCompactionHandler extends Handler<PlanCompaction, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `unknown-profile`. */
  async execute({ ref, input: profile }: PlanCompaction): Promise<PlanView> {
    const { state } = await this.parts.sessions.load(ref);
    const session = requireOpen(ref, state);
    const { plan } = planNow(session, profile === undefined ? session.profile : resolveProfile(profile));
    return plan.kind === 'none' ? { plan: null, reason: plan.reason } : { plan: viewOf(plan) };
  }
}

const viewOf = (plan: Plan) => ({
  profile: plan.profile.name,
  stages: plan.stages,
  cut: plan.cut,
  splitTurn: plan.splitPrefix.length > 0,
  covered: {
    messages: plan.covered.length,
    from: plan.covered[0]?.message.id ?? null,
    to: plan.covered.at(-1)?.message.id ?? null,
  },
  retained: plan.retained.length + (plan.carried ? 1 : 0),
  droppedOutputs: plan.droppedOutputs.length,
  ...pick(plan, 'countedBefore', 'billedBefore', 'target', 'billedTarget', 'countedSummaryLimit'),
  ...pick(plan, 'targetRaised', 'protection', 'retention'),
});

/** Returns the public form of a compaction's outcome. */
export const outcomeView = ({ type, data }: CompactionOutcome) => {
  switch (type) {
    case 'CompactionCompleted': {
      const { compactionId, trigger, attempt, retention, summary } = data;
      const { countedBefore, countedAfter, billedBefore, billedAfter } = data;
      const { summarizer, usage, cost, durationMs, cut, covered, fileOperations, fidelity, native } = data;
      return {
        outcome: 'completed' as const,
        compactionId,
        trigger,
        attempts: attempt,
        countedBefore,
        countedAfter,
        billedBefore,
        billedAfter,
        target: data.target,
        targetRaised: data.targetRaised ?? null,
        protection: data.protection ?? null,
        /** `deterministic` tells whether the same input gives the same summary. */
        summarizer,
        usage: usage ?? null,
        cost: cost ?? null,
        durationMs,
        /** First retained message. */
        retainedFrom: cut?.messageId ?? null,
        coveredMessages: covered?.messages ?? 0,
        fileOperations,
        fidelity: fidelity
          ? { score: fidelity.score, keys: fidelity.keys, missingKeys: fidelity.missingKeys ?? null }
          : null,
        retention,
        summary,
        native: native && 'items' in native ? native.provider : null,
      };
    }
    case 'CompactionFailed':
      return { outcome: 'failed' as const, ...data };
    case 'CompactionSkipped':
      return { outcome: 'skipped' as const, ...data };
    case 'CompactionCancelled':
      return { outcome: 'cancelled' as const, ...data };
  }
};
export type OutcomeView = ReturnType<typeof outcomeView>;
