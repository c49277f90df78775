import { sumTokens, Tokens } from '@app/kernel';
import { pinnedTokens } from '../../context/pinned.js';
import { type AtomicGroup, startsTurn } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { OpenSession } from '../../session/state.js';
import type { Floor } from '../plan.js';

/**
 * What no compaction of the session can remove: system prompt and tools, pinned content, what context providers add, the
 * newest atomic group with the user message that it answers, and the room that a summary needs.
 */
export const floorOf = (
  session: OpenSession,
  groups: readonly AtomicGroup[],
  summaryReserve: Tokens,
): Floor => {
  const newest = groups.at(-1);
  const group = newest ? session.entries.slice(newest.start, newest.end) : [];
  const asked = newest && turnStartOf(session.entries, newest.start);
  const parts = [
    { part: 'system prompt and tools', tokens: session.opened.fixedTokens },
    {
      part: 'leading system messages',
      tokens: sumTokens(session.leadingSystem.map((entry) => entry.tokens)),
    },
    { part: 'pinned content', tokens: pinnedTokens(session.pins) },
    { part: 'context providers', tokens: session.request.contributed },
    { part: 'newest atomic group', tokens: sumTokens(group.map((entry) => entry.tokens)) },
    { part: "the group's user message", tokens: asked && !group.includes(asked) ? asked.tokens : Tokens(0) },
    { part: 'reserve for the summary', tokens: summaryReserve },
  ].filter(({ tokens }) => tokens > 0);
  return { tokens: sumTokens(parts.map(({ tokens }) => tokens)), parts };
};

/** The message that began the turn in which the entry at `at` stands, where it is still there. */
export const turnStartOf = (entries: readonly Entry[], at: number): Entry | undefined => {
  const turn = entries[at]?.turn;
  return entries.slice(0, at + 1).find((entry) => entry.turn === turn && startsTurn(entry.message));
};
