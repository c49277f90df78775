import type { MessageId } from '@app/kernel';
import type { Entry } from '../../session/entry.js';
import { turnStartOf } from '../../turns/turns-of.js';
import { GAP_TOKENS } from '../manifest.js';
import type { Footing, Rung } from './shortening.js';

/**
 * Rung 2 of 4: drops the oldest atomic groups, until the request fits or only the newest one is left with its user
 * message. A line replaces them.
 */
export const dropGroups = ({ session, layout, newest, excess }: Footing, { masked }: Rung): Rung => {
  const { entries } = session;
  const asked = turnStartOf(entries, newest);
  const freedIn = freedBy([...session.droppedOutputs, ...masked]);
  const dropped = new Set<Entry>();
  let freed = masked.reduce((sum, output) => sum + output.freed, 0) - GAP_TOKENS;
  let droppedGroups = 0;
  for (const { start, end } of layout.groups.filter((group) => group.start < newest)) {
    if (freed >= excess) break;
    const going = entries.slice(start, end).filter((entry) => entry !== asked);
    if (going.length === 0) continue;
    droppedGroups += 1;
    for (const entry of going) {
      dropped.add(entry);
      freed += entry.tokens - (freedIn.get(entry.message.id) ?? 0);
    }
  }
  const kept = entries.filter((entry) => !dropped.has(entry)).map(({ message }) => message);
  const ids = new Set(kept.map(({ id }) => id));
  return {
    masked: masked.filter(({ messageId }) => ids.has(messageId)),
    droppedGroups,
    messages: kept,
    truncated: [],
    freed,
  };
};

/** Tokens that are saved already, by the message of the call: they cannot be saved twice. */
const freedBy = (outputs: Rung['masked']): ReadonlyMap<MessageId, number> => {
  const freed = new Map<MessageId, number>();
  for (const { messageId, freed: saved } of outputs)
    freed.set(messageId, (freed.get(messageId) ?? 0) + saved);
  return freed;
};
