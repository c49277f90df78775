import type { CompactionInFlight, OpenSession } from '../session/state.js';
import type { Plan } from './plan.js';
import { layOut, pairingIn } from './prepare/cuts.js';
import { firstPlace } from './prepare/first-place.js';
import { measureOf } from './prepare/measure.js';
import { planAt } from './prepare/plan-at.js';
import { protectedFrom } from './prepare/protected.js';
import { dropToolOutputs } from './stages/drop-tool-outputs.js';

/**
 * The plan of the attempt that is running, as its start recorded it; all that came since is retained. `undefined`
 * where none is running, or where what it covers has changed.
 */
export const runningPlan = (session: OpenSession): Plan | undefined => {
  const { compaction } = session;
  if (!compaction?.running) return undefined;
  const { profile, running } = compaction;
  const { stages, cut, target, targetRaised, protection, coveredMessages } = running;
  const at = session.entries.findIndex((entry) => entry.message.id === cut.messageId);
  if (at < 0) return undefined;
  const layout = layOut(session);
  const drops = stages.includes('drop-tool-outputs');
  // What came since can belong to a group before the cut: a step that goes on with reasoning, a call whose result
  // came first. The cut then parts what belongs together.
  if (!drops && !layout.cuts.includes(at)) return undefined;
  const droppedOutputs = drops
    ? dropToolOutputs(session, pairingIn(session), {
        protectedFrom: protectedAtStart(session, compaction, running.turn),
        exemptTools: profile.exemptTools,
      })
    : [];
  const decision = { at: drops ? 0 : at, stages, target, targetRaised, protection, droppedOutputs };
  const plan = planAt(session, profile, decision, layout, measureOf(session, profile));
  return plan.covered.length === coveredMessages ? plan : undefined;
};

/** Where the protected part began when the attempt did: what came since counts for neither its turns nor its tokens. */
const protectedAtStart = (
  session: OpenSession,
  { messages, profile }: CompactionInFlight,
  turn: number,
): number => {
  const { entries } = session;
  const since = firstPlace(entries.length, (place) => (entries[place]?.position ?? messages) >= messages);
  const then: OpenSession = { ...session, entries: entries.slice(0, since), turn };
  return protectedFrom(then, layOut(then), profile, measureOf(then, profile));
};
