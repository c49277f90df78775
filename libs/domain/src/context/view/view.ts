import { Tokens } from '@app/kernel';
import { groupedIn } from '../../compaction/prepare/cuts.js';
import { PLACEHOLDER_TOKENS } from '../../compaction/stages/drop-tool-outputs.js';
import { type VisibleResult, visibleResults } from '../../compaction/stages/visible-results.js';
import type { AtomicGroup } from '../../message/index.js';
import { freedByMessage } from '../../session/marks.js';
import type { OpenSession } from '../../session/state.js';
import { clearedResults } from './micro.js';
import { snippedSteps } from './snip.js';

/** What the stages that run while a request is composed leave out of it: a pure function of session and policy. */
export type View = {
  readonly snipped: readonly AtomicGroup[];
  readonly cleared: readonly VisibleResult[];
  readonly freed: Tokens;
};
const NOTHING: View = { snipped: [], cleared: [], freed: Tokens(0) };

/** @param raw tokens of the session with all that was ever marked in it, so that a mark ends no view. */
export const viewOf = (session: OpenSession, raw: number): View => {
  const { stages, viewAt } = session.profile;
  const [snips, clears] = [stages.includes('snip'), stages.includes('micro')];
  const { window } = session.limits;
  if (!(snips || clears) || window === 0 || raw < window * viewAt) return NOTHING;
  const layout = groupedIn(session);
  const snipped = snips ? snippedSteps(session, layout) : [];
  const isSnipped = (at: number): boolean => snipped.some(({ start, end }) => at >= start && at < end);
  const results = clears ? visibleResults(session, layout.pairing) : [];
  const gone = new Set(session.entries.filter((_, at) => isSnipped(at)));
  const cleared = clearedResults(session, results).filter(({ caller }) => !gone.has(caller));
  const freedIn = freedByMessage(session);
  const ofSteps = snipped.reduce((sum, { start, end }) => {
    const members = session.entries.slice(start, end);
    const shown = members.reduce((all, one) => all + one.tokens - (freedIn.get(one.message.id) ?? 0), 0);
    return sum + Math.max(0, shown - PLACEHOLDER_TOKENS);
  }, 0);
  const ofResults = cleared.reduce((sum, { tokens }) => sum + tokens - PLACEHOLDER_TOKENS, 0);
  return { snipped, cleared, freed: Tokens(ofSteps + ofResults) };
};
