import type { Message, Role } from '../generated/types.js';
import {
  type Block,
  blocksOf,
  type DocumentBlock,
  fileOf,
  inputOf,
  isDocument,
  isImage,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  resultText,
  type ToolResultBlock,
} from './blocks.js';

type ProviderOptions = { readonly [provider: string]: { readonly [name: string]: unknown } };
type ToolOutput = { readonly type: string; readonly value?: unknown };
type Part = {
  readonly type: string;
  readonly text?: string;
  readonly image?: unknown;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: ToolOutput;
  readonly providerOptions?: ProviderOptions;
};
/** Structure of a `ModelMessage` of the Vercel AI SDK (5 and later). */
export type AiSdkMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly Part[];
};

/** Converts messages of the Vercel AI SDK to the form of the API. */
export const fromAiSdk = (messages: readonly AiSdkMessage[]): readonly Message[] =>
  messages.flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? blocksOf(content) : content.map(blockOf);
    return blocks.length === 0 ? [] : [{ role: role === 'tool' ? 'user' : role, content: blocks }];
  });

const blockOf = (part: Part): Block => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text ?? '' };
    case 'reasoning':
      return reasoningOf(part);
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part.toolCallId ?? '',
        name: part.toolName ?? '',
        input: inputOf(part.input),
      };
    case 'tool-result':
      return resultOf(part);
    case 'image':
      return fileOf(part.image, part.mediaType ?? 'image/png');
    case 'file':
      return fileIn(part);
    default:
      return part;
  }
};

/** Converts a file, whose data have their type beside them since version 7. A file that the provider keeps is passed unchanged. */
const fileIn = (part: Part): Block => {
  const { data, mediaType, filename } = part;
  if (typeof data !== 'object' || data === null || !('type' in data))
    return fileOf(data, mediaType, filename);
  if ('data' in data) return fileOf(data.data, mediaType, filename);
  if ('url' in data) return fileOf(data.url, mediaType, filename);
  if (!('text' in data)) return part;
  const source = { type: 'text' as const, media_type: mediaType ?? 'text/plain', data: String(data.text) };
  return { type: 'document', source, ...(filename !== undefined && { title: filename }) };
};

/** Keeps the signature of Anthropic's reasoning, without which it is rejected. */
const reasoningOf = ({ text = '', providerOptions }: Part): Block => {
  const { signature, redactedData } = providerOptions?.anthropic ?? {};
  if (typeof redactedData === 'string') return { type: 'redacted_thinking', ...{ data: redactedData } };
  return { type: 'thinking', thinking: text, ...(typeof signature === 'string' && { signature }) };
};

const resultOf = ({ toolCallId = '', output }: Part): ToolResultBlock => {
  const isError = output?.type.startsWith('error-') ?? false;
  const value = output?.value;
  return {
    type: 'tool_result',
    tool_use_id: toolCallId,
    content: typeof value === 'string' ? value : contentIn(output),
    ...(isError && { is_error: true }),
  };
};
const contentIn = (output: ToolOutput | undefined): string | readonly Block[] => {
  if (output?.type !== 'content' || !Array.isArray(output.value))
    return JSON.stringify(output?.value ?? null);
  const parts: readonly Part[] = output.value;
  return parts.map(resultBlock);
};

/** Converts a part of a result. Versions 5 and 6 have types of their own for files. */
const resultBlock = (part: Part): Block => {
  const { type, data, url, mediaType, filename } = part;
  if (type === 'media' || type === 'image-data') return fileOf(data, mediaType ?? 'image/png');
  if (type === 'file-data') return fileOf(data, mediaType, filename);
  if (type === 'image-url') return fileOf(url, 'image/*');
  return type === 'file-url' ? fileOf(url, mediaType) : blockOf(part);
};

type TextOut = { type: 'text'; text: string };
type ReasoningOut = {
  type: 'reasoning';
  text: string;
  providerOptions?: { anthropic: { signature: string } | { redactedData: string } };
};
type ImageOut = { type: 'image'; image: string | URL; mediaType?: string };
type FileOut = { type: 'file'; data: string | URL; mediaType: string; filename?: string };
type CallOut = { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown };
type ResultOut = {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string };
};
/** A mutable `ModelMessage`, as the Vercel AI SDK requires. */
export type AiSdkModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextOut | ImageOut | FileOut)[] }
  | { role: 'assistant'; content: (TextOut | ReasoningOut | FileOut | CallOut)[] }
  | { role: 'tool'; content: ResultOut[] };

/** Converts messages of the API for the Vercel AI SDK, which requires separate results with the names of their tools. */
export const toAiSdk = (messages: readonly Message[]): AiSdkModelMessage[] => {
  const tools = new Map<string, string>();
  return messages.flatMap(({ role, content }): AiSdkModelMessage[] => {
    const blocks = blocksOf(content);
    for (const { id, name } of blocks.filter(isToolUse)) tools.set(id, name);
    const results = blocks.filter(isToolResult).map((result) => resultPart(result, tools));
    const own = ownMessage(role, blocks);
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
      ...(own.content.length > 0 ? [own] : []),
    ];
  });
};

const ownMessage = (role: Role, blocks: readonly Block[]): AiSdkModelMessage => {
  switch (role) {
    case 'system':
      return {
        role,
        content: blocks
          .flatMap(textsIn)
          .map(({ text }) => text)
          .join('\n\n'),
      };
    case 'user':
      return { role, content: blocks.flatMap(usersPart) };
    case 'assistant':
      return { role, content: blocks.flatMap(assistantsPart) };
  }
};

const textsIn = (block: Block): TextOut[] => (isText(block) ? [{ type: 'text', text: block.text }] : []);

const usersPart = (block: Block): (TextOut | ImageOut | FileOut)[] => {
  if (isDocument(block)) return [filePart(block)];
  if (!isImage(block)) return textsIn(block);
  const { source } = block;
  return source.type === 'url'
    ? [{ type: 'image', image: new URL(source.url) }]
    : [{ type: 'image', image: source.data, mediaType: source.media_type }];
};

const filePart = ({ source, title }: DocumentBlock): TextOut | FileOut => {
  if (source.type === 'text') return { type: 'text', text: source.data };
  const filename = title === undefined ? {} : { filename: title };
  return source.type === 'url'
    ? { type: 'file', data: new URL(source.url), mediaType: 'application/octet-stream', ...filename }
    : { type: 'file', data: source.data, mediaType: source.media_type, ...filename };
};

const assistantsPart = (block: Block): (TextOut | ReasoningOut | FileOut | CallOut)[] => {
  if (isThinking(block)) {
    const { thinking: text, signature } = block;
    if (signature === undefined) return [{ type: 'reasoning', text }];
    return [{ type: 'reasoning', text, providerOptions: { anthropic: { signature } } }];
  }
  if (block.type === 'redacted_thinking' && 'data' in block) {
    const providerOptions = { anthropic: { redactedData: String(block.data) } };
    return [{ type: 'reasoning', text: '', providerOptions }];
  }
  if (isToolUse(block))
    return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input }];
  if (!isImage(block)) return textsIn(block);
  // The SDK represents generated images as files.
  const { source } = block;
  return source.type === 'url'
    ? [{ type: 'file', data: new URL(source.url), mediaType: 'image/*' }]
    : [{ type: 'file', data: source.data, mediaType: source.media_type }];
};

const resultPart = (result: ToolResultBlock, tools: ReadonlyMap<string, string>): ResultOut => ({
  type: 'tool-result',
  toolCallId: result.tool_use_id,
  toolName: tools.get(result.tool_use_id) ?? '',
  output: { type: result.is_error ? 'error-text' : 'text', value: resultText(result) },
});
