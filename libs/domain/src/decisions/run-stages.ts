import type { Tokens } from '@app/kernel';
import { targetTokens } from '../budget/limits.js';
import { collapse } from '../compaction/stages/collapse.js';
import { dropReasoning } from '../compaction/stages/drop-reasoning.js';
import { offloadResults } from '../compaction/stages/offload-results.js';
import { prune } from '../compaction/stages/prune.js';
import type { MarkChange } from '../evolve/changes/change-marks.js';
import { fold } from '../evolve/fold.js';
import { estimatedTokens, occupancy } from '../occupancy/occupancy.js';
import type { StageName } from '../profiles/profile.js';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession } from '../session/state.js';
import { NEXT } from './state-after.js';

/** What is done before every request, whatever its size. */
export const stagesBeforeRequest = (session: OpenSession): readonly SessionEvent[] =>
  has(session, 'offload-results') ? weighed(session, offloadResults(session)) : [];

/** What is done when a turn has ended. */
export const stagesAfterTurn = (session: OpenSession): readonly SessionEvent[] => {
  const pruned = has(session, 'prune') ? prune(session) : undefined;
  return weighed(session, pruned ? [pruned] : []);
};

/** What is done before a compaction is asked for: it may not be needed any more. */
export const stagesBeforeCompaction = (session: OpenSession): readonly SessionEvent[] => {
  const dropped = has(session) ? dropReasoning(session) : undefined;
  const first = weighed(session, dropped ? [dropped] : []);
  return [...first, ...stagesAfterTurn(stateAfterEvents(session, first))];
};

/** What is left to do where no compaction will make the next request small enough. */
export const stagesAtLast = (session: OpenSession): readonly SessionEvent[] => {
  // A mark voids what was billed: what is estimated counts as well.
  const size = Math.max(occupancy(session), estimatedTokens(session));
  const target = targetTokens(session.limits, session.profile);
  if (!has(session, 'collapse') || target === undefined || size <= target) return [];
  return weighed(session, collapse(session, size - target));
};

/** Marks of one stage, each with what the next request takes once all of them are recorded: they are one append. */
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
