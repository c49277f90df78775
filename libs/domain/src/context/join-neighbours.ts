import { type Block, isReasoning } from '../message/index.js';
import type { WireMessage, WireNote } from './wire.js';

/**
 * Messages with nothing in them go, and neighbours of one role become one message, as the providers' servers do
 * themselves. Reasoning at the end of an assistant message goes too: no provider accepts it there.
 */
export const joinNeighbours = (messages: readonly WireMessage[], notes: WireNote[]): WireMessage[] =>
  joined(joined(messages).map((message) => endedProperly(message, notes)));

const joined = (messages: readonly WireMessage[]): WireMessage[] => {
  const result: WireMessage[] = [];
  for (const message of messages.filter(saysSomething)) {
    const last = result.at(-1);
    const both = last && joinTwo(last, message);
    if (both) result[result.length - 1] = both;
    else result.push(message);
  }
  return result;
};

const joinTwo = (one: WireMessage, next: WireMessage): WireMessage | undefined => {
  if (one.role === 'assistant' && next.role === 'assistant') {
    return { role: 'assistant', blocks: [...one.blocks, ...next.blocks] };
  }
  if (one.role === 'user' && next.role === 'user') {
    return {
      role: 'user',
      results: [...one.results, ...next.results],
      blocks: [...one.blocks, ...next.blocks],
    };
  }
  return undefined;
};

const saysSomething = (message: WireMessage): boolean => {
  if (message.role === 'system') return true;
  return message.blocks.length > 0 || (message.role === 'user' && message.results.length > 0);
};

const endedProperly = (message: WireMessage, notes: WireNote[]): WireMessage => {
  if (message.role !== 'assistant') return message;
  const end = message.blocks.findLastIndex((block: Block) => !isReasoning(block)) + 1;
  if (end === message.blocks.length) return message;
  notes.push({ did: 'left-out-reasoning', messageId: 'joined', because: 'nothing-follows' });
  return { ...message, blocks: message.blocks.slice(0, end) };
};
