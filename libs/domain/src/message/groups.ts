import { hasReasoning, type Message, startsTurn, toolCallsOf } from './message.js';
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
  const reach = messages.map((_, at) => at);
  const extend = (from: number, to: number): void => {
    const first = Math.min(from, to);
    reach[first] = Math.max(reach[first] ?? first, from, to);
  };
  for (const { call, result } of pairing.calls) if (result) extend(call.message, result.message);
  for (const [head, last] of thinkingLoops(messages)) extend(head, last);

  const groups: AtomicGroup[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < messages.length; at += 1) {
    end = Math.max(end, (reach[at] ?? at) + 1);
    if (end === at + 1) {
      groups.push({ start, end });
      start = end;
    }
  }
  return groups;
};

/** Each step with reasoning that calls tools, with the last of the steps without reasoning that continue it. */
const thinkingLoops = (messages: readonly Message[]): [number, number][] => {
  const loops: [number, number][] = [];
  let head: number | undefined;
  for (const [at, message] of messages.entries()) {
    if (startsTurn(message)) head = undefined;
    if (message.role !== 'assistant') continue;
    if (hasReasoning(message)) head = toolCallsOf(message).length > 0 ? at : undefined;
    else if (head !== undefined) {
      loops.push([head, at]);
      if (toolCallsOf(message).length === 0) head = undefined;
    }
  }
  return loops;
};
