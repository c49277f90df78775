import { sumTokens, Tokens } from '@app/kernel';
import type { AtomicGroup } from '../../message/index.js';
import type { OpenSession } from '../../session/state.js';
import { turnStartOf } from '../../turns/carried.js';
import { pinnedTokens } from '../../view/pinned.js';
import { recallTokens } from '../../view/recall/recall-tool.js';
import type { Floor } from '../plan.js';

/**
 * Returns the content that no compaction removes: system prompt and tools, pins, contributions, the newest atomic
 * group with its user message, and the reserve for a summary.
 */
export const floorOf = (
  session: OpenSession,
  newest: AtomicGroup | undefined,
  summaryReserve: Tokens,
): Floor => {
  const group = newest ? session.entries.slice(newest.start, newest.end) : [];
  const asked = newest && turnStartOf(session.entries, newest.start);
  const parts = [
    {
      part: 'system prompt and tools',
      tokens: sumTokens([session.parts.fixedTokens, recallTokens(session)]),
    },
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
