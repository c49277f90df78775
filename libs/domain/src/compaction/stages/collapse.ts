import { Tokens } from '@app/kernel';
import { toolCallsOf } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { EventOf } from '../../session/events.js';
import { collapsedTurns, type OpenSession } from '../../session/state.js';
import { type Grouped, groupedIn } from '../../turns/cuts.js';
import { freedByPlace } from '../../turns/freed-by-place.js';
import { turnsOf } from '../../turns/turns-of.js';
import { isToolAmong } from '../../turns/visible-results.js';
import { collapsedTokens } from '../../view/collapsed-text.js';
import { wayBackOf } from '../../view/recall/recall-tool.js';
import { shownTokens } from '../../view/shown-session.js';

/**
 * Returns the whole turns to collapse, oldest first, until requests shrink by `excess` counted tokens; never the
 * newest turn. A turn is collapsed only if that saves tokens, it has no open call, no call is answered in another
 * turn, and it calls no exempt tool.
 */
export const collapse = (session: OpenSession, excess: number): readonly EventOf<'SegmentCollapsed'>[] => {
  const layout = groupedIn(session);
  const freedAt = freedByPlace(session);
  const known = collapsedTurns(session);
  const shownAt = shownTokens(session);
  const isExempt = isToolAmong(session.profile.exemptTools);
  const standsAlone = aloneIn(layout);
  const found: EventOf<'SegmentCollapsed'>[] = [];
  let left = excess;
  for (const { turn, start, end } of turnsOf(session.entries)) {
    if (left <= 0 || turn >= session.turn) break;
    const entries = session.entries.slice(start, end);
    if (known.has(turn) || !standsAlone(entries, start, end)) continue;
    if (entries.some(({ message }) => toolCallsOf(message).some(({ name }) => isExempt(name)))) continue;
    const tokens = entries.reduce((sum, one, at) => sum + one.tokens - (freedAt.get(start + at) ?? 0), 0);
    const line = collapsedTokens(entries, wayBackOf(session));
    const freed = tokens - line;
    // Messages that read-time stages omit anyway save nothing.
    const saved = entries.reduce((sum, _, at) => sum + shownAt(start + at), 0) - line;
    const [first, last] = [entries[0], entries.at(-1)];
    if (saved <= 0 || !first || !last) continue;
    left -= saved;
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

/**
 * Returns whether a run of entries can be removed alone: it ends at group ends, and none of its calls is open. System
 * messages stay in their place.
 */
const aloneIn = ({
  groups,
  pairing,
}: Grouped): ((entries: readonly Entry[], start: number, end: number) => boolean) => {
  const boundaries = new Set([...groups.map(({ start }) => start), groups.at(-1)?.end]);
  const waiting = new Set(pairing.calls.filter(({ result }) => !result).map(({ call }) => call.message));
  return (entries, start, end) =>
    boundaries.has(start) &&
    boundaries.has(end) &&
    entries.every(({ message }, at) => message.role !== 'system' && !waiting.has(start + at));
};
