import { isJsonObject, type JsonObject } from '@app/kernel';
import { type Block, isText, isToolUse, type ToolResultBlock } from '../../message/index.js';
import type { Manifest } from '../manifest.js';
import type { WireAssistant, WireMessage, WireRequest, WireUser } from '../wire/wire.js';

/** The body of `POST /v1/chat/completions`. */
export type OpenAiChatRequest = {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly max_completion_tokens: number;
};

export const openAiChatRequest = (
  manifest: Manifest,
  { messages, tools }: WireRequest,
): OpenAiChatRequest => ({
  model: manifest.model,
  messages: [
    ...manifest.system.map((content) => ({ role: 'system', content })),
    ...messages.flatMap(messagesOf),
  ],
  ...(tools.length > 0 && { tools: tools.map(toolOf) }),
  max_completion_tokens: manifest.maxOutput,
});

const messagesOf = (message: WireMessage): JsonObject[] => {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'assistant':
      return [assistantOf(message)];
    case 'user':
      return userOf(message);
  }
};

const assistantOf = ({ blocks }: WireAssistant): JsonObject => {
  const calls = blocks.filter(isToolUse).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = blocks
    .filter(isText)
    .map(({ text }) => text)
    .join('\n\n');
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
};

/** A tool message holds text alone: images in results follow in a user message, after all results of the batch. */
const userOf = ({ results, blocks }: WireUser): JsonObject[] => {
  const tools = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.tool_use_id,
    content: wordsOf(result),
  }));
  const parts = [...results.flatMap(imagesOf), ...blocks.flatMap(partOf)];
  if (parts.length === 0) return tools;
  const [only] = parts;
  const content = parts.length === 1 && only?.type === 'text' ? only.text : parts;
  return [...tools, { role: 'user', content }];
};

const wordsOf = ({ content, is_error: isError }: ToolResultBlock): string => {
  const words = typeof content === 'string' ? content : (content ?? []).map(partWords).join('\n');
  return isError ? `[error] ${words}` : words;
};
const partWords = (part: JsonObject): string => {
  if (typeof part.text === 'string') return part.text;
  return part.type === 'image' ? '[image: see the next message]' : `[${String(part.type)}]`;
};

const imagesOf = ({ content }: ToolResultBlock): JsonObject[] =>
  typeof content === 'string'
    ? []
    : (content ?? []).filter((part) => part.type === 'image').flatMap(imagePart);

const partOf = (block: Block): JsonObject[] => {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  if (block.type === 'image') return imagePart(block);
  return [{ type: 'text', text: `[${block.type}]` }];
};

const imagePart = ({ source }: JsonObject): JsonObject[] => {
  if (!isJsonObject(source)) return [{ type: 'text', text: '[image]' }];
  if (typeof source.url === 'string') return [{ type: 'image_url', image_url: { url: source.url } }];
  if (typeof source.data !== 'string') return [{ type: 'text', text: '[image]' }];
  const url = `data:${String(source.media_type)};base64,${source.data}`;
  return [{ type: 'image_url', image_url: { url } }];
};

const toolOf = (tool: JsonObject): JsonObject => {
  if (tool.type === 'function') return tool;
  const { name, description, input_schema: parameters } = tool;
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  };
};
