import type { CallReference } from '../session/facts.js';
import { callKey, freedByMessage, freeingsOf } from '../session/marks.js';
import type { OpenSession } from '../session/state.js';
import { pairingIn } from './cuts.js';

/** Returns tokens freed by marks, by the index of the shortened message. */
export const freedByPlace = (session: OpenSession): ReadonlyMap<number, number> => {
  const freed = new Map<number, number>();
  if (freeingsOf(session).length === 0) return freed;
  addResults(session, freed);
  addMessages(session, freed);
  addCollapsed(session, freed);
  return freed;
};

/** A result counts at its own position, not at its call's. */
const addResults = (session: OpenSession, freed: Map<number, number>): void => {
  const { entries, droppedOutputs, marks } = session;
  const byCall = new Map<string, number>();
  const all: readonly (CallReference & { readonly freed: number })[] = [
    ...droppedOutputs,
    ...marks.offloaded,
  ];
  if (all.length === 0) return;
  for (const one of all) add(byCall, callKey(one), one.freed);
  for (const { id: callId, call, result } of pairingIn(session).calls) {
    const caller = entries[call.message];
    if (!result || !caller) continue;
    const key = callKey({ messageId: caller.message.id, callId });
    add(freed, result.message, byCall.get(key) ?? 0);
    byCall.delete(key);
  }
};

const addMessages = ({ entries, marks }: OpenSession, freed: Map<number, number>): void => {
  const byMessage = freedByMessage(marks);
  if (byMessage.size === 0) return;
  for (const [at, { message }] of entries.entries()) add(freed, at, byMessage.get(message.id) ?? 0);
};

/** The first message of a collapsed turn carries the replacement; the others count 0. */
const addCollapsed = ({ entries, marks }: OpenSession, freed: Map<number, number>): void => {
  if (marks.collapsed.length === 0) return;
  const places = new Map(entries.map(({ message }, at) => [message.id, at]));
  for (const { messageId, tokens, freed: saved } of marks.collapsed) {
    const first = places.get(messageId) ?? -1;
    const turn = entries[first]?.turn;
    for (let at = first; at >= 0 && entries[at]?.turn === turn; at += 1) {
      const left = at === first ? tokens - saved : 0;
      freed.set(at, (entries[at]?.tokens ?? 0) - left);
    }
  }
};

const add = <Key>(sums: Map<Key, number>, key: Key, more: number): void => {
  if (more !== 0) sums.set(key, (sums.get(key) ?? 0) + more);
};
