import { Tokens } from '@app/kernel';
import { wayBackOf } from '../../context/recall/recall-tool.js';
import { collapsedTokens } from '../../context/view/collapsed-text.js';
import type { Entry } from '../../session/entry.js';
import type { SegmentCollapsed } from '../../session/events.js';
import { collapsedTurns, type OpenSession } from '../../session/state.js';
import { type Grouped, groupedIn } from '../prepare/cuts.js';
import { freedByPlace } from './freed-by-place.js';

/**
 * Whole turns, oldest first, until `excess` tokens are saved; the newest turn never. A turn goes only where that saves
 * something, nothing in it waits for a result, and no call of it is answered in another turn.
 */
export const collapse = (session: OpenSession, excess: number): readonly SegmentCollapsed[] => {
  const layout = groupedIn(session);
  const freedAt = freedByPlace(session);
  const known = collapsedTurns(session);
  const found: SegmentCollapsed[] = [];
  let left = excess;
  for (const { turn, start, end } of turnsOf(session.entries)) {
    if (left <= 0 || turn >= session.turn) break;
    const entries = session.entries.slice(start, end);
    if (known.has(turn) || !standsAlone(entries, start, end, layout)) continue;
    const tokens = entries.reduce((sum, one, at) => sum + one.tokens - (freedAt.get(start + at) ?? 0), 0);
    const freed = tokens - collapsedTokens(entries, wayBackOf(session));
    const [first, last] = [entries[0], entries.at(-1)];
    if (freed <= 0 || !first || !last) continue;
    left -= freed;
    found.push({
      type: 'SegmentCollapsed',
      data: {
        turn,
        messageId: first.message.id,
        to: last.message.id,
        messages: entries.length,
        tokens: Tokens(tokens),
        freed: Tokens(freed),
        pivot: session.pivot?.compactionId ?? null,
        occupancyAfter: Tokens(0),
      },
    });
  }
  return found;
};

type Turn = { readonly turn: number; readonly start: number; readonly end: number };

const turnsOf = (entries: readonly Entry[]): readonly Turn[] => {
  const turns: Turn[] = [];
  for (const [at, { turn }] of entries.entries()) {
    const last = turns.at(-1);
    if (last?.turn === turn) turns[turns.length - 1] = { ...last, end: at + 1 };
    else turns.push({ turn, start: at, end: at + 1 });
  }
  return turns;
};

/** System messages stay in their place, whatever turn that is. */
const standsAlone = (
  entries: readonly Entry[],
  start: number,
  end: number,
  { groups, pairing }: Grouped,
): boolean => {
  const isBoundary = (at: number): boolean =>
    groups.some((group) => group.start === at) || groups.at(-1)?.end === at;
  const isWaiting = pairing.calls.some(
    ({ call, result }) => !result && call.message >= start && call.message < end,
  );
  const hasSystem = entries.some(({ message }) => message.role === 'system');
  return !isWaiting && !hasSystem && isBoundary(start) && isBoundary(end);
};
