import { callsTools, hasReasoning, type Message, startsTurn } from './message.js';
import { type Pairing, pairToolCalls } from './pairing.js';

/** A run of messages that is kept or dropped as one: from `start` up to, without, `end`. */
export type AtomicGroup = { readonly start: number; readonly end: number };

/**
 * Cuts a list of messages into atomic groups, in order and without gaps.
 *
 * An assistant message, all its parallel calls and all their results are one group, wherever those stand; what
 * stands between them goes along. A step without reasoning of its own that continues a step with reasoning
 * belongs to that one's group: a provider refuses a thinking loop that has lost its head.
 */
export const atomicGroups = (
  messages: readonly Message[],
  pairing: Pairing = pairToolCalls(messages),
): AtomicGroup[] => {
  // How far the group reaches that each message belongs to, where that is further than the message itself.
  const reach = new Uint32Array(messages.length);
  const extend = (from: number, to: number): void => {
    const first = Math.min(from, to);
    reach[first] = Math.max(reach[first] ?? 0, from, to);
  };
  for (const { call, result } of pairing.calls) if (result) extend(call.message, result.message);
  for (const { head, last } of thinkingLoops(messages)) extend(head, last);

  const groups: AtomicGroup[] = [];
  let start = 0;
  let last = 0;
  for (let at = 0; at < messages.length; at += 1) {
    last = Math.max(last, reach[at] ?? 0, at);
    if (last === at) {
      groups.push({ start, end: at + 1 });
      start = at + 1;
    }
  }
  return groups;
};

/** Each step with reasoning that calls tools, with each of the steps without reasoning that continue it. */
const thinkingLoops = (messages: readonly Message[]): { head: number; last: number }[] => {
  const loops: { head: number; last: number }[] = [];
  let head: number | undefined;
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') {
      if (head !== undefined && startsTurn(message)) head = undefined;
    } else if (hasReasoning(message)) {
      head = callsTools(message) ? at : undefined;
    } else if (head !== undefined) {
      loops.push({ head, last: at });
      if (!callsTools(message)) head = undefined;
    }
  }
  return loops;
};
