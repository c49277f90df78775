import { isReasoning, type Message } from '../../message/index.js';
import type { WireMessage, WireNote } from './wire.js';

/**
 * Messages with nothing in them go, and neighbours of one role become one message, as the providers' servers do
 * themselves. Reasoning at the end of an assistant message goes too: no provider accepts it there.
 *
 * @param sources the messages that the blocks come from.
 */
export const joinNeighbours = (
  messages: readonly WireMessage[],
  sources: readonly Message[],
  notes: WireNote[],
): readonly WireMessage[] => {
  const once = joined(messages);
  const ended = once.map((message) => endedProperly(message, sources, notes));
  return ended.every((message, at) => message === once[at]) ? once : joined(ended);
};

const joined = (messages: readonly WireMessage[]): WireMessage[] => {
  const result: WireMessage[] = [];
  for (const message of messages) {
    if (!saysSomething(message)) continue;
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

const endedProperly = (message: WireMessage, sources: readonly Message[], notes: WireNote[]): WireMessage => {
  if (message.role !== 'assistant') return message;
  const end = message.blocks.findLastIndex((block) => !isReasoning(block)) + 1;
  if (end === message.blocks.length) return message;
  for (const block of message.blocks.slice(end)) {
    const source = sources.findLast(({ blocks }) => blocks.includes(block)); // Reasoning is never copied.
    if (source) notes.push({ did: 'left-out-reasoning', messageId: source.id, because: 'nothing-follows' });
  }
  return { ...message, blocks: message.blocks.slice(0, end) };
};
