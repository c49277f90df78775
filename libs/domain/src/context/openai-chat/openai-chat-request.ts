import { isJsonObject, type JsonObject } from '@app/kernel';
import {
  type Block,
  isText,
  isToolUse,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message/index.js';
import type { WireAssistant, WireMessage, WireRequest, WireUser } from '../../message/wire.js';
import type { Manifest } from '../manifest.js';
import { dataUrlOf, documentText, UNNAMED } from '../openai-responses/parts.js';

/** The body of `POST /v1/chat/completions`. */
export type OpenAiChatRequest = {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly max_completion_tokens: number;
};

export const openAiChatRequest = (manifest: Manifest, { parts, tools }: WireRequest): OpenAiChatRequest => {
  const spoken: JsonObject[] = manifest.system.map((content) => ({ role: 'system', content }));
  for (const message of parts.flat()) say(message, spoken);
  return {
    model: manifest.model,
    messages: spoken,
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    max_completion_tokens: manifest.maxOutput,
  };
};

const say = (message: WireMessage, spoken: JsonObject[]): void => {
  switch (message.role) {
    case 'system':
      spoken.push({ role: 'system', content: message.text });
      return;
    case 'assistant':
      spoken.push(assistantOf(message));
      return;
    case 'user':
      sayAsUser(message, spoken);
  }
};

const assistantOf = ({ blocks }: WireAssistant): JsonObject => {
  const calls: JsonObject[] = [];
  let content = '';
  for (const block of blocks) {
    if (isText(block)) content = content === '' ? block.text : `${content}\n\n${block.text}`;
    if (isToolUse(block)) calls.push(callOf(block));
  }
  const said = content === '' ? null : content;
  return calls.length > 0
    ? { role: 'assistant', content: said, tool_calls: calls }
    : { role: 'assistant', content: said };
};

const callOf = ({ id, name, input }: ToolUseBlock): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

/** A tool message holds text alone: images in results follow in a user message, after all results of the batch. */
const sayAsUser = ({ results, blocks }: WireUser, spoken: JsonObject[]): void => {
  for (const result of results) {
    spoken.push({ role: 'tool', tool_call_id: result.tool_use_id, content: wordsOf(result) });
  }
  const images = results.some(hasParts) ? results.flatMap(imagesOf) : [];
  if (images.length === 0 && blocks.length === 0) return;
  spoken.push({ role: 'user', content: contentOf(images, blocks) });
};

/** Returns a single text as a string, anything else as a list of parts. */
const contentOf = (
  images: readonly JsonObject[],
  blocks: readonly Block[],
): string | readonly JsonObject[] => {
  const [only] = blocks;
  if (images.length === 0 && blocks.length === 1 && only && isText(only)) return only.text;
  const parts = [...images, ...blocks.flatMap(partOf)];
  const [part] = parts;
  return parts.length === 1 && typeof part?.text === 'string' ? part.text : parts;
};

const wordsOf = ({ content, is_error: isError }: ToolResultBlock): string => {
  const words = typeof content === 'string' ? content : (content ?? []).map(partWords).join('\n');
  return isError ? `[error] ${words}` : words;
};
const partWords = (part: JsonObject): string => {
  if (typeof part.text === 'string') return part.text;
  return part.type === 'image' ? '[image: see the next message]' : `[${String(part.type)}]`;
};

const hasParts = ({ content }: ToolResultBlock): boolean =>
  content !== undefined && typeof content !== 'string';

const imagesOf = ({ content }: ToolResultBlock): JsonObject[] =>
  typeof content === 'string'
    ? []
    : (content ?? []).filter((part) => part.type === 'image').flatMap(imagePart);

const partOf = (block: Block): JsonObject[] => {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  if (block.type === 'image') return imagePart(block);
  if (block.type === 'document') return [documentPart(block)];
  return [{ type: 'text', text: `[${block.type}]` }];
};

const imagePart = ({ source }: JsonObject): JsonObject[] => {
  if (!isJsonObject(source)) return [{ type: 'text', text: '[image]' }];
  if (typeof source.url === 'string') return [{ type: 'image_url', image_url: { url: source.url } }];
  if (typeof source.data !== 'string') return [{ type: 'text', text: '[image]' }];
  const url = `data:${String(source.media_type)};base64,${source.data}`;
  return [{ type: 'image_url', image_url: { url } }];
};

/** The chat API accepts files as data only, not by URL. */
const documentPart = ({ source, title }: JsonObject): JsonObject => {
  const text = isJsonObject(source) ? documentText(source) : undefined;
  if (text !== undefined) return { type: 'text', text };
  const data = isJsonObject(source) ? dataUrlOf(source) : undefined;
  if (data === undefined) return { type: 'text', text: '[document]' };
  const filename = typeof title === 'string' && title !== '' ? title : UNNAMED;
  return { type: 'file', file: { filename, file_data: data } };
};

const toolOf = (tool: JsonObject): JsonObject => {
  if (isJsonObject(tool.function) || isJsonObject(tool.custom)) return tool;
  const { name, description, input_schema: schema } = tool;
  // Responses has a function's members one level up.
  const parameters = schema ?? tool.parameters ?? { type: 'object' };
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  };
};
