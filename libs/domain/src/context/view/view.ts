import { sumTokens, Tokens } from '@app/kernel';
import { groupedIn } from '../../compaction/prepare/cuts.js';
import { freedByPlace } from '../../compaction/stages/freed-by-place.js';
import { type VisibleResult, visibleResults } from '../../compaction/stages/visible-results.js';
import type { AtomicGroup } from '../../message/index.js';
import { freeingsOf } from '../../session/marks.js';
import type { OpenSession } from '../../session/state.js';
import { placeholderTokens } from '../recall/placeholders.js';
import { clearedResults } from './micro.js';
import { snippedSteps } from './snip.js';

/** What the stages that run while a request is composed leave out of it: a pure function of session and policy. */
export type View = {
  readonly snipped: readonly AtomicGroup[];
  readonly cleared: readonly VisibleResult[];
  readonly freed: Tokens;
};
const NOTHING: View = { snipped: [], cleared: [], freed: Tokens(0) };

/** @returns nothing left out as long as little is kept; from then on ever more, until the next compaction. */
export const viewOf = (session: OpenSession): View => {
  const { stages, viewAt } = session.profile;
  const [snips, clears] = [stages.includes('snip'), stages.includes('micro')];
  const { window } = session.limits;
  if (!(snips || clears) || window === 0 || keptTokens(session) < window * viewAt) return NOTHING;
  const layout = groupedIn(session);
  const snipped = snips ? snippedSteps(session, layout) : [];
  const gone = new Set(snipped.flatMap(({ start, end }) => session.entries.slice(start, end)));
  const results = clears ? visibleResults(session, layout.pairing) : [];
  const cleared = clearedResults(session, results).filter(({ caller }) => !gone.has(caller));
  const freedAt = freedByPlace(session);
  const ofSteps = snipped.map(({ start, end }) => {
    const members = session.entries.slice(start, end);
    const shown = members.reduce((sum, { tokens }, at) => sum + tokens - (freedAt.get(start + at) ?? 0), 0);
    return Math.max(0, shown - placeholderTokens(session));
  });
  const ofResults = cleared.map(({ tokens }) => tokens - placeholderTokens(session));
  return { snipped, cleared, freed: sumTokens([...ofSteps, ...ofResults]) };
};

/** With all that was ever marked, and without what one request alone carries: so that it only grows, and no view ends. */
const keptTokens = (session: OpenSession): number =>
  session.entriesTokens +
  (session.pivot?.summaryTokens ?? 0) +
  sumTokens(freeingsOf(session).map(({ freed }) => freed));
