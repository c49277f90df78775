import { isToolResult, isToolUse } from './blocks.js';
import { type Message, startsTurn } from './message.js';
import { type BlockPlace, type OpenCall, WaitingCalls } from './waiting-calls.js';

/** A tool call, and the result that answers it; `undefined` while nothing does. */
export type PairedCall = Readonly<OpenCall>;

export type Pairing = {
  /** Every call of the list, in its order. */
  readonly calls: readonly PairedCall[];
  /** Results that answer no call of the list, or a call that another result answers already. */
  readonly unpaired: readonly { readonly id: string; readonly result: BlockPlace }[];
};

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
  const unpaired: { id: string; result: BlockPlace }[] = [];
  const open = new WaitingCalls();
  const early = new Map<string, BlockPlace[]>();
  const wasCalled = knownAmong(calls);
  for (const [at, message] of messages.entries()) {
    if (early.size > 0 && startsTurn(message)) giveUp(early, unpaired);
    let block = 0;
    for (const part of message.blocks) {
      if (message.role === 'assistant' && isToolUse(part)) {
        const { id } = part;
        const call: OpenCall = { id, call: { message: at, block }, result: early.get(id)?.shift() };
        calls.push(call);
        if (!call.result && !isAbandoned(message, id)) open.add(call);
        block += 1;
      } else if (message.role === 'user' && isToolResult(part)) {
        const id = part.tool_use_id;
        const result = { message: at, block };
        const answered = open.take(id);
        if (answered) answered.result = result;
        else if (wasCalled(id)) unpaired.push({ id, result });
        else waitFor(early, id, result);
        block += 1;
      }
    }
  }
  giveUp(early, unpaired);
  return { calls, unpaired };
};

/** Whether a call with an id is among `calls`, a list that grows. Few results ask, so nothing is kept until one does. */
const knownAmong = (calls: readonly OpenCall[]): ((id: string) => boolean) => {
  const ids = new Set<string>();
  let known = 0;
  return (id) => {
    for (; known < calls.length; known += 1) ids.add(calls[known]?.id ?? '');
    return ids.has(id);
  };
};

const waitFor = (early: Map<string, BlockPlace[]>, id: string, result: BlockPlace): void => {
  const waiting = early.get(id);
  if (waiting) waiting.push(result);
  else early.set(id, [result]);
};

const giveUp = (early: Map<string, BlockPlace[]>, unpaired: { id: string; result: BlockPlace }[]): void => {
  for (const [id, results] of early) for (const result of results) unpaired.push({ id, result });
  early.clear();
};
