import type { MessageId } from '@app/kernel';
import { type Block, isToolResult, isToolUse, type Message, type Role } from '../message/index.js';
import type { WireMessage } from '../message/wire.js';
import type { OpenSession } from '../session/state.js';
import type { AnthropicRequest } from './anthropic/anthropic-request.js';
import type { ComposedRequest } from './compose.js';
import { recordedForm } from './wire/renamed.js';

/** Blocks of a recorded message, by index, all of them by default; or blocks that the session does not hold in this form. */
type ReferencePart =
  | { readonly message: MessageId; readonly blocks?: readonly number[] }
  | { readonly content: readonly Block[] };
export type ReferencedMessage = { readonly role: Role; readonly parts: readonly ReferencePart[] };

/**
 * Returns the history of a request in Anthropic's form as references to the messages of its session. System messages before the
 * first turn come first. Blocks are written out if they were changed or erased, or if the service wrote them. Cache marks of
 * referenced blocks are not considered, and calls keep the IDs and names that callers gave them, unless two have the same ID.
 *
 * @param session the session that the request was composed from.
 */
export const referencesIn = (
  { messages }: Pick<AnthropicRequest, 'messages'>,
  spoken: ComposedRequest['spoken'],
  session: OpenSession,
): readonly ReferencedMessage[] => {
  const placeOf = placesIn(session);
  const ids = givenIds(spoken);
  const leading = session.leadingSystem.map(({ message }): ReferencedMessage => {
    const part = isOfCaller(message) ? { message: message.id } : { content: message.blocks };
    return { role: message.role, parts: [part] };
  });
  const history = messages.map(({ role, content }, at): ReferencedMessage => {
    const originals = blocksOf(spoken[at]);
    const parts: Part[] = [];
    for (const [index, block] of content.entries()) {
      const original = originals[index];
      const isSent = original !== undefined && original.type === block.type && original.text === block.text;
      const id = ids.get(callIdIn(block) ?? '');
      const place = isSent ? placeOf.get(id === undefined ? original : recordedForm(original)) : undefined;
      add(parts, place || id === undefined ? block : withCallId(block, id), place);
    }
    return { role, parts: parts.map(written) };
  });
  return [...leading, ...history];
};

type Place = { readonly message: Message; readonly block: number };
type Part = { readonly message: Message; readonly blocks: number[] } | { readonly content: Block[] };

/** Returns the places of the blocks that callers have appended, by identity. */
const placesIn = ({ entries }: OpenSession): ReadonlyMap<Block, Place> => {
  const places = new Map<Block, Place>();
  for (const { message } of entries) {
    if (!isOfCaller(message)) continue;
    for (const [block, one] of message.blocks.entries()) places.set(one, { message, block });
  }
  return places;
};

/** IDs of calls as callers gave them, by the IDs that the provider gets in their place. */
type GivenIds = ReadonlyMap<string, string>;

/** Returns the IDs that belong to one call alone. */
const givenIds = (spoken: ComposedRequest['spoken']): GivenIds => {
  const given = new Map<string, string>();
  const calls = new Map<string, number>();
  for (const message of spoken) {
    if (message.role !== 'assistant') continue;
    for (const block of message.blocks) {
      const recorded = recordedForm(block);
      if (!isToolUse(block) || !isToolUse(recorded)) continue;
      calls.set(recorded.id, (calls.get(recorded.id) ?? 0) + 1);
      given.set(block.id, recorded.id);
    }
  }
  return new Map([...given].filter(([, id]) => calls.get(id) === 1));
};

const callIdIn = (block: Block): string | undefined => {
  if (isToolUse(block)) return block.id;
  return isToolResult(block) ? block.tool_use_id : undefined;
};

const withCallId = (block: Block, id: string): Block =>
  isToolUse(block) ? { ...block, id } : { ...block, tool_use_id: id };

/** Whether callers have the content of a message: an erased one is no longer sent in any form. */
const isOfCaller = ({ synthetic, erased }: Message): boolean => !synthetic && !erased;

const blocksOf = (message: WireMessage | undefined): readonly Block[] => {
  if (!message || message.role === 'system') return [];
  return message.role === 'assistant' ? message.blocks : [...message.results, ...message.blocks];
};

/** Adds a block, to the last part if it continues that. */
const add = (parts: Part[], block: Block, place: Place | undefined): void => {
  const last = parts.at(-1);
  if (!place) {
    if (last && 'content' in last) last.content.push(block);
    else parts.push({ content: [block] });
    return;
  }
  const { message, block: index } = place;
  if (last && 'message' in last && last.message === message && (last.blocks.at(-1) ?? 0) < index)
    last.blocks.push(index);
  else parts.push({ message, blocks: [index] });
};

const written = (part: Part): ReferencePart => {
  if ('content' in part) return part;
  const { message, blocks } = part;
  const isWhole = blocks.length === message.blocks.length;
  return { message: message.id, ...(!isWhole && { blocks }) };
};
