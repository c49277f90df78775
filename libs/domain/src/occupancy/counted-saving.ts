import { Tokens } from '@app/kernel';
import type { OpenSession } from '../session/state.js';
import { estimatedTokens, fixedTokens } from './occupancy.js';

/**
 * Counted tokens by which the next request is smaller than it would be without what compactions have done to the session:
 * those whose summary is in force, marks of durable stages, and what stages leave out while a request is composed. A reset, a
 * fork and the ladder are no compactions: what they leave out is not in it.
 */
export const countedSaving = (session: OpenSession): Tokens =>
  Tokens(Math.max(0, withoutCompactions(session) - estimatedTokens(session)));

/**
 * What of that the messages that stay do not tell any more, right after a compaction: `before` it and `after` it the request
 * without any compaction is the same.
 */
export const savedBehindCut = (before: OpenSession, after: OpenSession): Tokens =>
  Tokens(Math.max(0, withoutCompactions(before) - wholeTokens(after)));

const withoutCompactions = (session: OpenSession): number =>
  (session.pivot?.countedSaved ?? 0) + wholeTokens(session);

/** With every message as it was appended. */
const wholeTokens = (session: OpenSession): number =>
  session.entries.reduce(
    (sum, { tokens }) => sum + tokens,
    fixedTokens(session) + (session.pivot?.summaryTokens ?? 0),
  );
