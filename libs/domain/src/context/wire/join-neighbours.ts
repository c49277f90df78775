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
  const ended = once.map((message) => endedProperly(message, sourceOf, notes));
  return ended.every((message, at) => message === once[at]) ? once : joined(ended);
};

const joined = (messages: readonly WireMessage[]): WireMessage[] => {
  const result: WireMessage[] = [];
  let from = 0;
  const said = messages.filter(saysSomething);
  for (const [at, message] of said.entries()) {
    const next = said[at + 1];
    if (next && next.role === message.role && message.role !== 'system') continue;
    result.push(joinAll(said.slice(from, at + 1), message));
    from = at + 1;
  }
  return result;
};

/** Neighbours of one role as one message. */
const joinAll = (run: readonly WireMessage[], last: WireMessage): WireMessage => {
  if (run.length === 1 || last.role === 'system') return last;
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
