import { type Message, startsTurn, toolCallsOf, toolResultsOf } from './message.js';

/** Where a block stands: the message by its place in the list, the block among those of its kind there. */
export type BlockPlace = { readonly message: number; readonly block: number };
/** A tool call, and the result that answers it; `undefined` while nothing does. */
export type PairedCall = {
  readonly id: string;
  readonly call: BlockPlace;
  readonly result: BlockPlace | undefined;
};

export type Pairing = {
  /** Every call of the list, in its order. */
  readonly calls: readonly PairedCall[];
  /** Results that answer no call of the list, or a call that another result answers already. */
  readonly unpaired: readonly { readonly id: string; readonly result: BlockPlace }[];
};

type OpenCall = { readonly id: string; readonly call: BlockPlace; result: BlockPlace | undefined };

/**
 * Finds the result of each tool call, wherever it stands. Ids may be used again, results may be doubled, late,
 * or stand before their call:
 *
 * - a result answers the nearest message before it with an unanswered call of its id (there, the first such call);
 * - a result with no such call before it waits for the next call of its id, to the end of its turn;
 * - an abandoned call takes no result, however late one comes;
 * - what is left over is unpaired.
 */
export const pairToolCalls = (
  messages: readonly Message[],
  isAbandoned: (message: Message, callId: string) => boolean = () => false,
): Pairing => {
  const calls: OpenCall[] = [];
  const open = new Map<string, OpenCall[]>();
  const early = new Map<string, BlockPlace[]>();
  const unpaired: { id: string; result: BlockPlace }[] = [];
  const called = new Set<string>();

  for (const [at, message] of messages.entries()) {
    if (startsTurn(message)) giveUp(early, unpaired);
    for (const [block, { id }] of toolCallsOf(message).entries()) {
      const call: OpenCall = { id, call: { message: at, block }, result: early.get(id)?.shift() };
      calls.push(call);
      called.add(id);
      if (!call.result && !isAbandoned(message, id)) open.set(id, [...(open.get(id) ?? []), call]);
    }
    for (const [block, { tool_use_id: id }] of toolResultsOf(message).entries()) {
      const result = { message: at, block };
      const answered = takeNearest(open.get(id));
      if (answered) answered.result = result;
      else if (called.has(id)) unpaired.push({ id, result });
      else early.set(id, [...(early.get(id) ?? []), result]);
    }
  }
  giveUp(early, unpaired);
  return { calls, unpaired };
};

const giveUp = (early: Map<string, BlockPlace[]>, unpaired: { id: string; result: BlockPlace }[]): void => {
  for (const [id, results] of early) for (const result of results) unpaired.push({ id, result });
  early.clear();
};

/** Takes the first unanswered call of the nearest message out of `waiting`. */
const takeNearest = (waiting: OpenCall[] | undefined): OpenCall | undefined => {
  const nearest = waiting?.at(-1)?.call.message;
  const at = waiting?.findIndex(({ call }) => call.message === nearest) ?? -1;
  return at < 0 ? undefined : waiting?.splice(at, 1)[0];
};
