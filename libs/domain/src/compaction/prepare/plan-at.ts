import { type MessageStanding, standingsOf } from '../../context/standing.js';
import { formatOf, leavesOutReasoning } from '../../context/wire/reasoning.js';
import { billedOf, estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import type { Profile } from '../../profiles/profile.js';
import type { Entry } from '../../session/entry.js';
import type { OpenSession } from '../../session/state.js';
import type { Layout } from '../../turns/cuts.js';
import { carriedAt } from '../../turns/turns-of.js';
import { editsIn } from '../../view/shown-session.js';
import { fileOperationsOf, NO_FILE_OPERATIONS } from '../files/index.js';
import type { Plan } from '../plan.js';
import { removedFrom } from '../summarizer-input.js';
import type { Measure } from './measure.js';
import { retentionOf } from './retention.js';

/** A decision: the cut by its index among the entries, 0 to keep the previous cut. */
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
  const removed = removedFrom(session, profile, covered);
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
    plannedMessages: session.messages,
    previousSummary: pivot?.summary ?? undefined,
    droppedOutputs,
    fileOperations: fileOperationsOf(covered, pivot?.fileOperations ?? NO_FILE_OPERATIONS),
    countedBefore: estimatedTokens(session),
    billedBefore: occupancy(session),
    target,
    billedTarget: billedOf(session, target),
    targetRaised,
    protection,
    countedSummaryLimit: measure.countedSummaryLimit(at),
    retention: retentionOf({
      entries,
      traits,
      at,
      carried,
      standingAt: standingAfter(session, { droppedOutputs, stages }),
      toolOutputs: profile.toolOutputs,
      reasoningIn: removed.reasoningIn,
    }),
    removed,
  };
};

/**
 * Returns the standing of retained content in later requests. The effect of read-time stages on it depends on later
 * messages.
 */
const standingAfter = (
  session: OpenSession,
  { droppedOutputs, stages }: Pick<Plan, 'droppedOutputs' | 'stages'>,
): ((at: number) => MessageStanding) => {
  const { model, pivot, pins, unreplayableReasoning, droppedOutputs: before } = session;
  const hasRecord = stages.includes('summarize') || pivot?.summary != null;
  const after = { ...session, droppedOutputs: [...before, ...droppedOutputs] };
  const edits = editsIn(after);
  const context = {
    model,
    edits,
    unreplayableReasoning,
    isAltered: false,
    record: hasRecord ? '' : undefined,
    pinned: pins.length > 0 ? '' : undefined,
  };
  return standingsOf(after, { leavesOut: leavesOutReasoning(context, formatOf(session)), withView: false });
};

/** @param entries a list without other owners; it is changed in place. */
const without = (one: Entry | undefined, entries: Entry[]): readonly Entry[] =>
  one ? entries.filter((entry) => entry !== one) : entries;
