import { Tokens } from '@app/kernel';
import { viewOf } from '../context/view/view.js';
import { freeingsOf } from '../session/marks.js';
import type { OpenSession } from '../session/state.js';
import { estimatedTokens } from './occupancy.js';

/**
 * Counted tokens by which the next request is smaller than it would be without what compactions have done to the session:
 * those whose summary is in force, marks of durable stages, and what stages leave out while a request is composed. A reset, a
 * fork and the ladder are no compactions: what they leave out is not in it.
 */
export const countedSaving = (session: OpenSession): Tokens =>
  Tokens(Math.max(0, savedByPivot(session) + freedByMarks(session) + viewOf(session).freed));

/**
 * What of that is known no more from the messages that stay, right after a compaction: `before` it and `after` it the
 * request without any compaction is the same.
 */
export const savedBehindCut = (before: OpenSession, after: OpenSession): Tokens =>
  Tokens(
    Math.max(
      0,
      savedByPivot(before) +
        estimatedTokens(before) +
        freedByMarks(before) -
        estimatedTokens(after) -
        freedByMarks(after),
    ),
  );

const savedByPivot = ({ pivot }: OpenSession): number => pivot?.countedSaved ?? 0;
const freedByMarks = (session: OpenSession): number =>
  freeingsOf(session).reduce((sum, { freed }) => sum + freed, 0);
