import type { OpenSession } from '../session/state.js';
import type { Plan } from './plan.js';
import { layOut } from './prepare/cuts.js';
import { planAt } from './prepare/plan-at.js';
import { dropToolOutputs } from './stages/drop-tool-outputs.js';

/**
 * The plan of the attempt that is running, as its start recorded it; all that came since is retained. `undefined`
 * where none is running, or where what it covers has changed.
 */
export const runningPlan = (session: OpenSession): Plan | undefined => {
  const { profile, running } = session.compaction ?? {};
  if (!profile || !running) return undefined;
  const { stages, cut, turn, target, coveredMessages } = running;
  const at = session.entries.findIndex((entry) => entry.message.id === cut.messageId);
  if (at < 0) return undefined;
  const { cuts, pairing } = layOut(session);
  const drops = stages.includes('drop-tool-outputs');
  // What came since can belong to a group before the cut: a step that goes on with reasoning, a call whose result
  // came first. The cut then parts what belongs together.
  if (!drops && !cuts.includes(at)) return undefined;
  const { keepRecentTurns, exemptTools } = profile;
  const droppedOutputs = drops
    ? dropToolOutputs(session, pairing, { protectedFrom: turn - keepRecentTurns + 1, exemptTools })
    : [];
  const plan = planAt(session, profile, { at: drops ? 0 : at, stages, target, droppedOutputs });
  return plan.covered.length === coveredMessages ? plan : undefined;
};
