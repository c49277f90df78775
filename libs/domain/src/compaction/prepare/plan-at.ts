import { billedOf, estimatedTokens, occupancy } from '../../budget/occupancy.js';
import type { Entry } from '../../session/entry.js';
import type { OpenSession } from '../../session/state.js';
import { fileOperationsOf, NO_FILE_OPERATIONS } from '../files/index.js';
import type { Plan } from '../plan.js';
import type { Profile } from '../profile.js';
import { carriedAt } from './carried.js';
import type { Layout } from './cuts.js';
import type { Measure } from './measure.js';
import { retentionOf } from './retention.js';

/** What has been decided: the cut by its place among the entries, 0 to leave it where it is. */
export type Decision = Pick<Plan, 'droppedOutputs' | 'target' | 'stages' | 'targetRaised' | 'protection'> & {
  readonly at: number;
};

/** The whole plan that a decision amounts to. */
export const planAt = (
  session: OpenSession,
  profile: Profile,
  { at, droppedOutputs, target, targetRaised, protection, stages }: Decision,
  { traits }: Layout,
  measure: Measure,
): Plan => {
  const { entries, pivot } = session;
  const carried = carriedAt(session, at);
  const covered = without(carried, entries.slice(0, at));
  const retained = without(carried, entries.slice(at));
  const [first] = retained;
  if (!first) throw new RangeError('a plan must retain something');
  const newest = { messageId: first.message.id, revision: first.revision };
  return {
    kind: 'plan',
    profile,
    stages,
    cut: at === 0 ? (pivot?.cut ?? newest) : newest,
    covered,
    splitPrefix: carried && at > 0 ? covered.filter((entry) => entry.turn === first.turn) : [],
    carried,
    retained,
    previousSummary: pivot?.summary ?? undefined,
    droppedOutputs,
    fileOperations: fileOperationsOf(covered, pivot?.fileOperations ?? NO_FILE_OPERATIONS),
    countedBefore: estimatedTokens(session),
    billedBefore: occupancy(session),
    target,
    billedTarget: billedOf(session, target),
    targetRaised,
    protection,
    summaryMax: measure.summaryMax(at),
    retention: retentionOf({
      entries,
      traits,
      at,
      carried,
      droppedOutputs: [...session.droppedOutputs, ...droppedOutputs],
      reasoningClearedIn: session.reasoningClearedIn,
      profile,
    }),
  };
};

/** @param entries a list that nobody else has. */
const without = (one: Entry | undefined, entries: Entry[]): readonly Entry[] =>
  one ? entries.filter((entry) => entry !== one) : entries;
