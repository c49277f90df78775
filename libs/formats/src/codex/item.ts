import { type Block, isText, type Role, textBlock } from '@app/domain';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import { asInserted } from '../drafts/inserted.js';
import { stringIn } from '../drafts/members.js';
import { blockOfPart } from '../wires/openai-chat/convert-part.js';
import { readItem } from '../wires/openai-responses/blocks.js';

/** The content of an item, with its own id if it has one. */
export type CodexItem = { readonly role: Role; readonly blocks: readonly Block[]; readonly id?: string };

/** Returns `undefined` for an internal item of Codex. */
export const itemOfCodex = (payload: JsonObject): CodexItem | undefined => {
  if (payload.type === 'ghost_snapshot') return undefined;
  // Codex's internal metadata of an item is removed, because the provider would reject it.
  const { internal_chat_message_metadata_passthrough: _, ...item } = payload;
  const id = stringIn(item, 'id');
  return { ...ownItem(item), ...(id !== undefined && { id }) };
};

const ownItem = (item: JsonObject): CodexItem => {
  switch (item.type) {
    case 'agent_message':
      return fromAgent(item) ?? readItem(item);
    case 'local_shell_call':
      return shellCall(item) ?? readItem(item);
    case 'image_generation_call':
      return drawn(item) ?? readItem(item);
    case 'additional_tools':
      return { ...readItem(item), role: 'system' };
    default:
      return readItem(item);
  }
};

/**
 * Returns the message of another agent: not output of the model, and for other providers user text in a tag with the
 * sender's name.
 */
const fromAgent = (item: JsonObject): CodexItem | undefined => {
  const said = contentBlocks(item.content, blockOfPart) ?? [];
  if (said.length === 0) return undefined;
  const words = [
    `[from ${stringIn(item, 'author') ?? 'unnamed'}]`,
    ...said.filter(isText).map(({ text }) => text),
  ];
  const message: Block = textBlock(`<agent-message>\n${words.join('\n')}\n</agent-message>`);
  const others = said.filter((block) => !isText(block)).map((block) => ({ ...block, openai: true }));
  return { role: 'user', blocks: asInserted([{ ...message, openai: item }, ...others]) };
};

/** A command by the shell that the provider defines: it is answered as the call of a function is. */
const shellCall = (item: JsonObject): CodexItem | undefined => {
  const id = stringIn(item, 'call_id') ?? stringIn(item, 'id');
  if (id === undefined || !isJsonObject(item.action)) return undefined;
  const call: Block = { type: 'tool_use', id, name: 'local_shell', input: item.action };
  return { role: 'assistant', blocks: [{ ...call, openai: item }] };
};

/** A generated image is replaced by a line, because no model receives its bytes as text. */
const drawn = (item: JsonObject): CodexItem | undefined => {
  if (typeof item.result !== 'string') return undefined;
  const what = stringIn(item, 'revised_prompt');
  const line = what === undefined ? '[image generated]' : `[image generated: ${what}]`;
  return { role: 'assistant', blocks: [{ ...textBlock(line), openai: item }] };
};

/** A compaction by the provider, which alone can read it. */
export const isOpaqueCompaction = ({ type }: JsonObject): boolean =>
  type === 'compaction' || type === 'compaction_summary' || type === 'context_compaction';
