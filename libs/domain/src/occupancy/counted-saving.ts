import { Tokens } from '@app/kernel';
import type { OpenSession } from '../session/state.js';
import { estimatedTokens, fixedTokens } from './occupancy.js';

/**
 * Returns the counted tokens that compactions save in the next request: summaries in force, marks of permanent
 * stages, and read-time stages. Resets, forks and the ladder do not count.
 */
export const countedSaving = (session: OpenSession): Tokens =>
  Tokens(Math.max(0, withoutCompactions(session) - estimatedTokens(session)));

/**
 * Returns the part of the saving that retained messages no longer show right after a compaction. Without any
 * compaction, the requests of `before` and `after` would be equal.
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
