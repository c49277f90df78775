import { type CallEnds, followCalls } from './follow-calls.js';
import type { Message } from './message.js';
import type { BlockPlace, OpenCall } from './waiting-calls.js';

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
