import { anthropicFaults, type Faults, openAiChatFaults, reasoningFaults } from './provider-rules/index.js';

export const FORMATS = ['anthropic', 'openai-chat'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * All that is wrong with a context for its provider, each fault once.
 *
 * @param reasoning the reasoning blocks of the recorded session, as JSON, in order.
 */
export const contextFaults = (format: Format, body: unknown, reasoning: readonly string[]): Faults => {
  const faults = format === 'anthropic' ? anthropicFaults(body) : openAiChatFaults(body);
  return [...new Set([...faults, ...reasoningFaults(body, reasoning)])];
};
