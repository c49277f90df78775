import type { Message } from '../generated/types.js';
import { type Block, blocksOf, isText } from './blocks.js';
import type { Answered } from './message.js';

/** Structure of a `MessageParam` of Anthropic's SDK. */
export type AnthropicParam = {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly Block[];
};
/** Structure of a `Message` of Anthropic's SDK, the answer of a model. */
export type AnthropicAnswer = {
  readonly id: string;
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly Block[];
  readonly stop_reason: string | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens?: number | null;
    readonly cache_creation_input_tokens?: number | null;
  };
};

/** Stop reasons after which the turn continues. */
const TURN_GOES_ON: ReadonlySet<string | null> = new Set(['tool_use', 'pause_turn', null]);

/** Converts an answer of Anthropic's SDK with its usage, and the stop reason if it ends the turn. */
export const answerFromAnthropic = (answer: AnthropicAnswer): Answered => {
  const { id, role, model, content, stop_reason: stopReason, usage } = answer;
  return {
    messages: [{ id, role, model, content }],
    usage: {
      inputTokens: usage.input_tokens,
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
      cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
      outputTokens: usage.output_tokens,
    },
    ...(!TURN_GOES_ON.has(stopReason) && stopReason !== null && { stopReason }),
  };
};

/** Converts messages of the API for Anthropic's SDK, where system messages are separate. */
export const toAnthropic = (
  messages: readonly Message[],
): { readonly system: string; readonly messages: readonly AnthropicParam[] } => ({
  system: messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ content }) => blocksOf(content))
    .flatMap((block) => (isText(block) ? [block.text] : []))
    .join('\n\n'),
  messages: messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
});
