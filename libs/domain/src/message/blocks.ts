import { isCallId, isJsonObject, isToolName, type Json, type JsonObject } from '@app/kernel';

/**
 * The content blocks of Anthropic's messages, which every other format converts to and from. A block is kept as
 * the provider wrote it, unknown members included: providers refuse blocks that come back with a member more
 * or less.
 */
export type TextBlock = JsonObject & { readonly type: 'text'; readonly text: string };
export type ImageBlock = JsonObject & { readonly type: 'image'; readonly source: JsonObject };
type DocumentBlock = JsonObject & { readonly type: 'document'; readonly source: JsonObject };
export type ToolUseBlock = JsonObject & {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};
export type ToolResultBlock = JsonObject & {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly JsonObject[];
  readonly is_error?: boolean;
};
export type ThinkingBlock = JsonObject & {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature?: string;
};
export type RedactedThinkingBlock = JsonObject & {
  readonly type: 'redacted_thinking';
  readonly data: string;
};
/** Provider-specific content (server tools, search results …): opaque and never changed. */
type ProviderBlock = JsonObject & { readonly type: 'provider_block' };

export type ReasoningBlock = ThinkingBlock | RedactedThinkingBlock;
export type Block =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | ReasoningBlock
  | ProviderBlock;

/**
 * Returns an external block after validation; `undefined` if a known type lacks a required field. Unknown types are
 * accepted unchanged, as opaque blocks.
 */
export const blockFrom = (value: Json | undefined): Block | undefined => {
  if (!isJsonObject(value) || typeof value.type !== 'string') return undefined;
  return hasItsMembers(value.type, value) ? (value as Block) : undefined;
};

const hasItsMembers = (type: string, value: JsonObject): boolean => {
  switch (type) {
    case 'text':
      return typeof value.text === 'string';
    case 'image':
    case 'document':
      return isJsonObject(value.source);
    case 'tool_use':
      return typeof value.id === 'string' && typeof value.name === 'string' && isJsonObject(value.input);
    case 'tool_result':
      return typeof value.tool_use_id === 'string' && isResultContent(value.content);
    case 'thinking':
      return typeof value.thinking === 'string' && (!value.signature || typeof value.signature === 'string');
    case 'redacted_thinking':
      return typeof value.data === 'string';
    default:
      return true;
  }
};
const isResultContent = (content: Json | undefined): boolean =>
  content === undefined ||
  typeof content === 'string' ||
  (Array.isArray(content) && content.every(isJsonObject));

/** Whether the id and the tool of a call, or the id of a result, are within the limits; so they are in any other block. */
export const hasCallNames = (block: Block): boolean => {
  if (isToolUse(block)) return isCallId(block.id) && isToolName(block.name);
  return !isToolResult(block) || isCallId(block.tool_use_id);
};

/** Returns a block with a marker in place of its content; call IDs and required members stay. */
export const markedBlock = (block: JsonObject, marker: string): JsonObject => {
  const { type, id, name, tool_use_id, is_error } = block;
  if (type === 'tool_use') return { type, id, name, input: {} };
  if (type === 'tool_result')
    return { type, tool_use_id, content: marker, ...(is_error !== undefined && { is_error }) };
  return textBlock(marker);
};

export const textBlock = (text: string): TextBlock => ({ type: 'text', text });

export const isText = (block: Block): block is TextBlock => block.type === 'text';
export const isToolUse = (block: Block): block is ToolUseBlock => block.type === 'tool_use';
export const isToolResult = (block: Block): block is ToolResultBlock => block.type === 'tool_result';
export const isReasoning = (block: Block): block is ReasoningBlock =>
  block.type === 'thinking' || block.type === 'redacted_thinking';

/** Returns the text of a tool result, without media. */
export const resultText = (block: ToolResultBlock): string => {
  if (block.content === undefined) return '';
  if (typeof block.content === 'string') return block.content;
  return block.content
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .filter(Boolean)
    .join('\n');
};
