import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

/** The real clients, as a program of ours uses them: without retries of their own. */
export const anthropicClient = (
  url: string,
  more: ConstructorParameters<typeof Anthropic>[0] = {},
): Anthropic => new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0, timeout: 30_000, ...more });
export const openAiClient = (url: string, more: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI =>
  new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0, timeout: 30_000, ...more });
