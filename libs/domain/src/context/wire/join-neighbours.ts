import { type Block, isReasoning, type Message } from '../../message/index.js';
import type { WireMessage, WireNote } from '../../message/wire.js';

/**
 * Drops empty messages and joins neighbours of one role, as the providers' servers do. Drops reasoning at the end of
 * an assistant message, which no provider accepts.
 *
 * @param sources the messages that the blocks come from.
 */
export const joinNeighbours = (
  messages: readonly WireMessage[],
  sources: readonly Message[],
  notes: WireNote[],
): readonly WireMessage[] => {
  const once = joined(messages);
  const sourceOf = sourceFinder(sources);
  if (!once.some(endsWithReasoning)) return once;
  return joined(once.map((message) => endedProperly(message, sourceOf, notes)));
};

const joined = (messages: readonly WireMessage[]): WireMessage[] => {
  const result: WireMessage[] = [];
  let last: WireMessage | undefined;
  /** The neighbours of one role, once there are two. */
  let run: WireMessage[] | undefined;
  for (const message of messages) {
    if (!saysSomething(message)) continue;
    if (last && last.role === message.role && last.role !== 'system') {
      run ??= [last];
      run.push(message);
    } else {
      if (last) result.push(run ? joinAll(run, last) : last);
      run = undefined;
    }
    last = message;
  }
  if (last) result.push(run ? joinAll(run, last) : last);
  return result;
};

/** Neighbours of one role as one message. */
const joinAll = (run: readonly WireMessage[], last: WireMessage): WireMessage => {
  if (last.role === 'system') return last;
  const blocks = run.flatMap((one) => (one.role === 'system' ? [] : one.blocks));
  if (last.role === 'assistant') return { role: 'assistant', blocks };
  return { role: 'user', results: run.flatMap((one) => (one.role === 'user' ? one.results : [])), blocks };
};

type SourceOf = (block: Block) => Message | undefined;

/**
 * Returns a lookup of the message that a reasoning block comes from, by identity. The index is built at the first
 * lookup.
 */
const sourceFinder = (sources: readonly Message[]): SourceOf => {
  let found: Map<Block, Message> | undefined;
  return (block) => {
    found ??= new Map(sources.flatMap((message) => message.blocks.map((one) => [one, message] as const)));
    return found.get(block);
  };
};

const saysSomething = (message: WireMessage): boolean => {
  if (message.role === 'system') return true;
  return message.blocks.length > 0 || (message.role === 'user' && message.results.length > 0);
};

const endsWithReasoning = (message: WireMessage): boolean => {
  if (message.role !== 'assistant') return false;
  const end = message.blocks.at(-1);
  return end !== undefined && isReasoning(end);
};

const endedProperly = (message: WireMessage, sourceOf: SourceOf, notes: WireNote[]): WireMessage => {
  if (message.role !== 'assistant') return message;
  const end = message.blocks.findLastIndex((block) => !isReasoning(block)) + 1;
  if (end === message.blocks.length) return message;
  for (const block of message.blocks.slice(end)) {
    const source = sourceOf(block);
    if (source) notes.push({ action: 'omitted-reasoning', messageId: source.id, reason: 'nothing-follows' });
  }
  return { ...message, blocks: message.blocks.slice(0, end) };
};
