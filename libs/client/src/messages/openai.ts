import type { Message } from '../generated/types.js';
import {
  type Block,
  blocksOf,
  fileOf,
  imageAt,
  isImage,
  isText,
  isToolResult,
  isToolUse,
  resultText,
  type ToolUseBlock,
  urlOf,
} from './blocks.js';
import type { Answered } from './message.js';
import { usageFrom } from './usage.js';

type Part = {
  readonly type: string;
  readonly text?: string;
  readonly refusal?: string;
  readonly image_url?: { readonly url: string };
  readonly file?: { readonly file_data?: string; readonly filename?: string };
};
type Call = {
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly custom?: { readonly name: string; readonly input: string };
};
/** Structure of a `ChatCompletionMessageParam` or `ChatCompletionMessage` of OpenAI's SDK. */
export type OpenAiMessage = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  readonly content?: string | readonly Part[] | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly Call[];
  readonly tool_call_id?: string;
  readonly name?: string;
};
/** Structure of a `ChatCompletion` of OpenAI's SDK. */
export type OpenAiAnswer = {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly { readonly message: OpenAiMessage; readonly finish_reason: string | null }[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: {
      readonly cached_tokens?: number;
      readonly cache_write_tokens?: number;
    };
  } | null;
};

/** Converts messages of OpenAI's chat completions to the form of the API; each tool result becomes a message. */
export const fromOpenAi = (messages: readonly OpenAiMessage[]): readonly Message[] =>
  messages.flatMap((message) => {
    const content = contentOf(message);
    return content.length === 0 ? [] : [{ role: ROLES[message.role], content }];
  });

const ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
  function: 'user',
} as const;

/** Converts the first choice of an answer with its usage, and the stop reason if it ends the turn. */
export const answerFromOpenAi = ({ id, model, choices, usage }: OpenAiAnswer): Answered => {
  const [choice] = choices;
  if (!choice) return { messages: [] };
  const { prompt_tokens: input = 0, completion_tokens: output = 0, prompt_tokens_details } = usage ?? {};
  const { cached_tokens: cacheRead, cache_write_tokens: cacheWrite } = prompt_tokens_details ?? {};
  const { finish_reason: stopReason } = choice;
  const goesOn = stopReason === null || stopReason === 'tool_calls' || stopReason === 'function_call';
  return {
    messages: fromOpenAi([choice.message]).map((message) => ({ ...message, id, model })),
    ...(usage && { usage: usageFrom({ input, cacheRead, cacheWrite, output }) }),
    ...(!goesOn && { stopReason }),
  };
};

const contentOf = (message: OpenAiMessage): readonly Block[] => {
  const { role, content, refusal, tool_calls: calls = [] } = message;
  const blocks = typeof content === 'string' ? blocksOf(content) : (content ?? []).map(blockOf);
  if (role === 'tool' || role === 'function') {
    const id = message.tool_call_id ?? message.name ?? '';
    return [
      { type: 'tool_result', tool_use_id: id, content: typeof content === 'string' ? content : blocks },
    ];
  }
  return [...blocks, ...blocksOf(refusal ?? ''), ...calls.map(toolUse)];
};

const blockOf = (part: Part): Block => {
  if (part.type === 'refusal') return { type: 'text', text: part.refusal ?? '' };
  const { image_url: image, file: { file_data: data, filename } = {} } = part;
  if (part.type === 'image_url' && image) return imageAt(image.url);
  return part.type === 'file' && data !== undefined ? fileOf(data, undefined, filename) : part;
};

const toolUse = ({ id, function: called, custom }: Call): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name: called?.name ?? custom?.name ?? '',
  input: called ? argumentsIn(called.arguments) : { _raw: custom?.input ?? '' },
});

/** Parses the arguments of a call; text that is not a JSON object is kept under `_raw`, as imports do. */
export const argumentsIn = (text: string): object => {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Models may write invalid JSON.
  }
  return { _raw: text };
};

/** Converts messages of the API for OpenAI's chat completions, which have no reasoning. */
export const toOpenAi = (messages: readonly Message[]): readonly OpenAiMessage[] =>
  messages.flatMap(({ role, content }) => {
    const blocks = blocksOf(content);
    const results = blocks.filter(isToolResult).map((result) => ({
      role: 'tool' as const,
      tool_call_id: result.tool_use_id,
      content: resultText(result),
    }));
    const calls = blocks.filter(isToolUse).map(callOf);
    const parts = blocks.flatMap(partOf);
    if (parts.length === 0 && calls.length === 0) return results;
    const own = {
      role,
      content: parts.length === 0 ? null : simplest(parts),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return [...results, own];
  });

const callOf = ({ id, name, input }: ToolUseBlock): Call & { readonly type: 'function' } => ({
  type: 'function',
  id,
  function: { name, arguments: rawIn(input) ?? JSON.stringify(input) },
});
const rawIn = (input: unknown): string | undefined =>
  typeof input === 'object' && input !== null && '_raw' in input ? String(input._raw) : undefined;

const partOf = (block: Block): readonly Part[] => {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  return isImage(block) ? [{ type: 'image_url', image_url: { url: urlOf(block) } }] : [];
};

/** Returns a single text as a string, since not every model accepts a list of parts. */
const simplest = (parts: readonly Part[]): string | readonly Part[] =>
  parts.length === 1 && parts[0]?.text !== undefined ? parts[0].text : parts;
