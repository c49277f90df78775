import { type Pairing, pairToolCalls } from './follow-calls.js';
import { hasTrait, type Message, TRAIT, type Traits, traitsOf } from './message.js';

/** A run of messages that is kept or dropped as one: from `start` up to, without, `end`. */
export type AtomicGroup = { readonly start: number; readonly end: number };

/**
 * Splits a list of messages into atomic groups, in order and without gaps.
 * An assistant message, all its parallel calls and all their results, in any position, form one group with the
 * messages between them. A step without reasoning that continues a step with reasoning belongs to that step's group:
 * a provider rejects a thinking loop without its beginning.
 */
export const atomicGroups = (
  messages: readonly Message[],
  pairing: Pairing = pairToolCalls(messages),
): AtomicGroup[] => {
  const ties = new Ties(messages.length);
  for (const { call, result } of pairing.calls) if (result) ties.add(call.message, result.message);
  const starts = groupStarts(messages.map(traitsOf), ties);
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? messages.length }));
};

/** Links between messages that must stay together, by index, including the messages between them. */
export class Ties {
  /** The furthest index linked to a message; 0 without a link. */
  readonly #reach: Uint32Array;

  constructor(messages: number) {
    this.#reach = new Uint32Array(messages);
  }

  add(one: number, other: number): void {
    const [first, last] = one < other ? [one, other] : [other, one];
    if (last > this.reachOf(first)) this.#reach[first] = last;
  }

  reachOf(first: number): number {
    return this.#reach[first] ?? 0;
  }
}

/**
 * Returns the start indexes of atomic groups. `ties` link calls with results; the links of thinking loops are added.
 */
export const groupStarts = (messages: ArrayLike<Traits>, ties: Ties): number[] => {
  tieThinkingLoops(messages, ties);
  const starts: number[] = [];
  let last = -1;
  for (let at = 0; at < messages.length; at += 1) {
    if (at > last) starts.push(at);
    last = Math.max(last, at, ties.reachOf(at));
  }
  return starts;
};

/** Ties each step with reasoning that calls tools to each of the steps without reasoning that continue it. */
const tieThinkingLoops = (messages: ArrayLike<Traits>, ties: Ties): void => {
  let head: number | undefined;
  for (let at = 0; at < messages.length; at += 1) {
    const traits = messages[at];
    if (hasTrait(traits, TRAIT.startsTurn)) head = undefined;
    if (!hasTrait(traits, TRAIT.isSpoken)) continue;
    const callsTools = hasTrait(traits, TRAIT.callsTools);
    if (hasTrait(traits, TRAIT.hasReasoning)) head = callsTools ? at : undefined;
    else if (head !== undefined) {
      ties.add(head, at);
      if (!callsTools) head = undefined;
    }
  }
};
