import {
  anthropicFaults,
  type Faults,
  openAiChatFaults,
  openAiResponsesFaults,
  reasoningFaults,
} from './provider-rules/index.js';

export const FORMATS = ['anthropic', 'openai-chat', 'openai-responses'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Returns every fault of a context under its provider's rules once.
 * @param reasoning the reasoning blocks of the recorded session, as JSON, in order.
 */
export const contextFaults = (format: Format, body: unknown, reasoning: readonly string[]): Faults => {
  return [...new Set([...RULES[format](body), ...reasoningFaults(body, reasoning)])];
};

const RULES: Readonly<Record<Format, (body: unknown) => Faults>> = {
  anthropic: anthropicFaults,
  'openai-chat': openAiChatFaults,
  'openai-responses': openAiResponsesFaults,
};
