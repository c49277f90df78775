import type { Tokens } from '@app/kernel';
import { targetTokens } from '../budget/limits.js';
import { collapse } from '../compaction/stages/collapse.js';
import { offloadResults } from '../compaction/stages/offload-results.js';
import { dropReasoning, prune } from '../compaction/stages/prune.js';
import type { MarkChange } from '../evolve/changes/change-marks.js';
import { fold } from '../evolve/rebuild.js';
import { estimatedTokens, occupancy } from '../occupancy/occupancy.js';
import type { StageName } from '../profiles/profile.js';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession } from '../session/state.js';
import { NEXT } from './state-after.js';

/** Returns the marks of stages that run before every request, regardless of its size. */
export const stagesBeforeRequest = (session: OpenSession): readonly SessionEvent[] =>
  has(session, 'offload-results') ? weighed(session, offloadResults(session)) : [];

/** Returns the marks of stages that run at the end of a turn. */
export const stagesAfterTurn = (session: OpenSession): readonly SessionEvent[] => {
  const pruned = has(session, 'prune') ? prune(session) : undefined;
  return weighed(session, pruned ? [pruned] : []);
};

/** Returns the marks of stages that run before a compaction is requested and may make it unnecessary. */
export const stagesBeforeCompaction = (session: OpenSession): readonly SessionEvent[] => {
  const dropped = has(session) ? dropReasoning(session) : undefined;
  const first = weighed(session, dropped ? [dropped] : []);
  return [...first, ...stagesAfterTurn(stateAfterEvents(session, first))];
};

/** Returns the marks of the last stages, for a request that no compaction makes fit. */
export const stagesAtLast = (session: OpenSession): readonly SessionEvent[] => {
  // Marks void bills, so that the estimate counts as well.
  const size = Math.max(occupancy(session), estimatedTokens(session));
  const target = targetTokens(session.limits, session.profile);
  if (!has(session, 'collapse') || target === undefined || size <= target) return [];
  return weighed(session, collapse(session, size - target));
};

/**
 * Returns the marks of one stage, each with the size of the next request after all of them, because they are in one
 * append.
 */
const weighed = (session: OpenSession, marks: readonly MarkChange[]): readonly MarkChange[] => {
  if (marks.length === 0) return [];
  const size = occupancy(stateAfterEvents(session, marks));
  return marks.map((mark) => withSize(mark, size));
};
const withSize = <Mark extends MarkChange>(mark: Mark, size: Tokens): Mark => ({
  ...mark,
  data: { ...mark.data, occupancyAfter: size },
});

/** Nothing is changed by itself in a session whose user has the word. */
const has = ({ profile }: OpenSession, stage?: StageName): boolean =>
  profile.mode === 'automatic' && (stage === undefined || profile.stages.includes(stage));

/** The session as it will be once `events` are recorded. */
export const stateAfterEvents = (session: OpenSession, events: readonly SessionEvent[]): OpenSession => {
  const after = fold(
    session,
    events.map((event) => ({ event, revision: NEXT })),
  );
  return after.status === 'open' ? after : session;
};
