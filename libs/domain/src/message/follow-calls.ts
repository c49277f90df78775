import { isToolResult, isToolUse } from './blocks.js';
import { hasTrait, type Message, TRAIT, type Traits, traitsOf } from './message.js';
import { type BlockPlace, type OpenCall, WaitingCalls } from './waiting-calls.js';

/** Callbacks for the results of calls, in the order of discovery. */
export type CallEnds = {
  /** Called with the traits of each message, for callers that would read all messages as well. */
  readonly reached?: (traits: Traits, at: number) => void;
  readonly called?: (call: OpenCall) => void;
  /** Called for a result in the message at index `message`, with its index `block` among the results there. */
  readonly answered: (call: OpenCall, message: number, block: number) => void;
  readonly unpaired?: (id: string, result: BlockPlace) => void;
};

/** Messages in their order, wherever they are kept: a list of them is not made for the sake of a look. */
export type MessageList = { readonly length: number; readonly at: (place: number) => Message | undefined };

/**
 * Finds the result of each tool call, in any position. Ids may be reused, results may be duplicated, late, or precede
 * their call:
 *
 * - a result answers the nearest message before it with an unanswered call of its id (there, the first such call);
 * - a result without such a call before it waits for the next call of its id, until the end of its turn;
 * - an abandoned call takes no result, however late;
 * - the rest is unpaired.
 *
 * @returns the unanswered calls, oldest first.
 */
export const followCalls = (
  messages: MessageList,
  isAbandoned: (message: Message, callId: string) => boolean,
  ends: CallEnds,
): readonly OpenCall[] => {
  const open = new WaitingCalls();
  const early = new EarlyResults();
  const wasCalled = calledIn(messages);

  const call = (message: Message, id: string, place: BlockPlace): void => {
    const made: OpenCall = { id, call: place, result: undefined };
    ends.called?.(made);
    const result = early.take(id);
    if (result) ends.answered(made, result.message, result.block);
    else if (!isAbandoned(message, id)) open.add(made);
  };
  const answer = (id: string, message: number, block: number): void => {
    const answered = open.take(id);
    if (answered) ends.answered(answered, message, block);
    else if (wasCalled(id, message)) ends.unpaired?.(id, { message, block });
    else early.add(id, { message, block });
  };

  for (let at = 0; at < messages.length; at += 1) {
    const message = messages.at(at);
    if (!message) continue;
    const traits = traitsOf(message);
    ends.reached?.(traits, at);
    if (early.size > 0 && hasTrait(traits, TRAIT.startsTurn)) early.giveUp(ends);
    const callsTools = hasTrait(traits, TRAIT.callsTools);
    if (!callsTools && !hasTrait(traits, TRAIT.holdsResults)) continue;
    let block = 0;
    for (const part of message.blocks) {
      if (callsTools && isToolUse(part)) call(message, part.id, { message: at, block });
      else if (!callsTools && isToolResult(part)) answer(part.tool_use_id, at, block);
      else continue;
      block += 1;
    }
  }
  early.giveUp(ends);
  return open.left();
};

/** Whether a message before a place calls with an id. Few results ask, so nothing is kept until one does. */
const calledIn = (messages: MessageList): ((id: string, before: number) => boolean) => {
  const ids = new Set<string>();
  let known = 0;
  return (id, before) => {
    for (; known < before; known += 1) {
      const message = messages.at(known);
      if (message?.role !== 'assistant') continue;
      for (const block of message.blocks) if (isToolUse(block)) ids.add(block.id);
    }
    return ids.has(id);
  };
};

/** Results that precede their calls, by id. */
class EarlyResults {
  readonly #byId = new Map<string, BlockPlace[]>();

  get size(): number {
    return this.#byId.size;
  }

  add(id: string, result: BlockPlace): void {
    const waiting = this.#byId.get(id);
    if (waiting) waiting.push(result);
    else this.#byId.set(id, [result]);
  }

  take(id: string): BlockPlace | undefined {
    return this.#byId.size > 0 ? this.#byId.get(id)?.shift() : undefined;
  }

  giveUp({ unpaired }: CallEnds): void {
    for (const [id, results] of this.#byId) for (const result of results) unpaired?.(id, result);
    this.#byId.clear();
  }
}

/** A tool call, and the result that answers it; `undefined` while nothing does. */
export type PairedCall = Readonly<OpenCall>;

export type Pairing = {
  /** Every call of the list, in its order. */
  readonly calls: readonly PairedCall[];
  /** Results that answer no call of the list, or a call that another result answers already. */
  readonly unpaired: readonly { readonly id: string; readonly result: BlockPlace }[];
};

/** Returns the result of each tool call, in any position, by the rules of `followCalls`. */
export const pairToolCalls = (
  messages: readonly Message[],
  isAbandoned: (message: Message, callId: string) => boolean = () => false,
): Pairing => {
  const calls: OpenCall[] = [];
  const unpaired: { id: string; result: BlockPlace }[] = [];
  const ends: CallEnds = {
    called: (call) => calls.push(call),
    answered: (call, message, block) => {
      call.result = { message, block };
    },
    unpaired: (id, result) => unpaired.push({ id, result }),
  };
  followCalls(messages, isAbandoned, ends);
  return { calls, unpaired };
};
