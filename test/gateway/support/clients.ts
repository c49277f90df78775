import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type GatewayProcess, KEY } from './gateway-process.js';

export const MODEL = 'claude-opus-4-6';
export const GPT = 'gpt-5';

export type ClientOptions = {
  /** The session name; without it the history identifies the session. */
  readonly session?: string;
  readonly window?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxRetries?: number;
};

const headersOf = ({ session, window, headers }: ClientOptions): Record<string, string> => ({
  'x-palimpsest-key': KEY,
  'x-palimpsest-window': String(window ?? 0),
  ...(session !== undefined && { 'x-palimpsest-session': session }),
  ...headers,
});

/** Anthropic's own client, behind a gateway; the window is unlimited by default. */
export const anthropicAt = ({ anthropic }: GatewayProcess, options: ClientOptions = {}): Anthropic =>
  new Anthropic({
    ...{ apiKey: 'the-providers-key', baseURL: anthropic, maxRetries: options.maxRetries ?? 0 },
    defaultHeaders: headersOf(options),
  });

/** OpenAI's own client, likewise. */
export const openAiAt = ({ openai }: GatewayProcess, options: ClientOptions = {}): OpenAI =>
  new OpenAI({
    ...{ apiKey: 'the-providers-key', baseURL: openai, maxRetries: options.maxRetries ?? 0 },
    defaultHeaders: headersOf(options),
  });

/** Returns alternating user and assistant messages. */
export const saying = (...texts: readonly string[]): { role: 'user' | 'assistant'; content: string }[] =>
  texts.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content }));

export type Asked = { readonly text: string; readonly session: string };

/** Sends one request with Anthropic's client, and returns the answer with its session. */
export const ask = async (
  client: Anthropic,
  messages: Anthropic.MessageParam[],
  more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
): Promise<Asked> => {
  const body = { model: MODEL, max_tokens: 500, messages, ...more };
  const { data, response } = await client.messages.create(body).withResponse();
  const text = data.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { text, session: response.headers.get('x-palimpsest-session') ?? '' };
};
