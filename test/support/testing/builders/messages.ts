import type {
  Block,
  ImageBlock,
  Message,
  RedactedThinkingBlock,
  ThinkingBlock,
  ToolUseBlock,
} from '@app/domain';
import { type Role, type ToolResultBlock, textBlock } from '@app/domain';
import { type JsonObject, MessageId } from '@app/kernel';
import { charactersFor } from './count.js';

/** A message of any role. A string is a text block. */
export const message = (id: string, role: Role, ...content: readonly (Block | string)[]): Message => ({
  id: MessageId(id),
  role,
  blocks: content.map((part) => (typeof part === 'string' ? textBlock(part) : part)),
});
export const user = (id: string, ...content: readonly (Block | string)[]): Message =>
  message(id, 'user', ...content);
export const assistant = (id: string, ...content: readonly (Block | string)[]): Message =>
  message(id, 'assistant', ...content);
export const system = (id: string, ...content: readonly (Block | string)[]): Message =>
  message(id, 'system', ...content);

/** A message of one text block that counts as exactly `tokens`. */
export const sized = (id: string, role: Role, tokens: number): Message =>
  message(id, role, filler(charactersFor(tokens)));

/** Text of exactly `length` characters. */
export const filler = (length: number): string =>
  'all work and no play '.repeat(length / 21 + 1).slice(0, length);

export const call = (
  id: string,
  name = 'read_file',
  input: JsonObject = { path: '/src/a.ts' },
): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const result = (callId: string, content: ToolResultBlock['content'] = 'done'): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: callId,
  ...(content !== undefined && { content }),
});
export const thinking = (text: string, signature?: string): ThinkingBlock => ({
  type: 'thinking',
  thinking: text,
  ...(signature !== undefined && { signature }),
});
export const redacted = (data: string): RedactedThinkingBlock => ({ type: 'redacted_thinking', data });
export const image = (data = 'aGVsbG8='): ImageBlock => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
