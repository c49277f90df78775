import type { Block } from './blocks.js';
import type { Answered } from './message.js';
import { argumentsIn } from './openai.js';
import { usageFrom } from './usage.js';

/** Structure of an item of a `Response` of OpenAI's SDK. */
export type ResponseItem = {
  readonly type: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly input?: string;
  readonly phase?: string | null;
  readonly content?: readonly { readonly type: string; readonly text?: string; readonly refusal?: string }[];
  readonly summary?: readonly { readonly text: string }[];
};
/** Structure of a `Response` of OpenAI's SDK. */
export type OpenAiResponse = {
  readonly id: string;
  readonly model: string;
  readonly status?: string;
  readonly incomplete_details?: { readonly reason?: string } | null;
  readonly output: readonly object[];
  readonly usage?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_tokens_details?: { readonly cached_tokens?: number; readonly cache_write_tokens?: number };
  } | null;
};

/**
 * Converts an answer of OpenAI's Responses API to one message with its usage, and the stop reason if it ends the turn.
 * Reasoning keeps its item with encrypted content, so that the next request can return it.
 */
export const answerFromResponses = (response: OpenAiResponse): Answered => {
  const { id, model, usage, status, incomplete_details: details } = response;
  const output = response.output.filter(isItem);
  const content = output.flatMap(blocksOfItem);
  const goesOn = output.some(({ type }) => type === 'function_call' || type === 'custom_tool_call');
  const { input_tokens: input = 0, output_tokens: outputTokens = 0, input_tokens_details } = usage ?? {};
  const { cached_tokens: cacheRead, cache_write_tokens: cacheWrite } = input_tokens_details ?? {};
  return {
    messages: content.length === 0 ? [] : [{ id, role: 'assistant', model, content }],
    ...(usage && { usage: usageFrom({ input, cacheRead, cacheWrite, output: outputTokens }) }),
    ...(!goesOn && { stopReason: details?.reason ?? status ?? 'completed' }),
  };
};

const isItem = (item: object): item is ResponseItem => 'type' in item && typeof item.type === 'string';

const blocksOfItem = (item: ResponseItem): readonly Block[] => {
  switch (item.type) {
    case 'message':
      return (item.content ?? []).map((part) => ({
        ...{ type: 'text', text: part.text ?? part.refusal ?? '' },
        ...(item.phase && { openai: item }),
      }));
    case 'reasoning':
      return [
        {
          type: 'thinking',
          thinking: (item.summary ?? []).map(({ text }) => text).join('\n'),
          signature: JSON.stringify(item),
        },
      ];
    case 'function_call':
      return [callOf(item, argumentsIn(item.arguments ?? ''))];
    case 'custom_tool_call':
      return [callOf(item, { _raw: item.input ?? '' }, { openai: item })];
    default:
      return [item];
  }
};

const callOf = (
  { call_id: id = '', name = '' }: ResponseItem,
  input: object,
  beside: object = {},
): Block => ({
  type: 'tool_use',
  ...{ id, name, input },
  ...beside,
});
