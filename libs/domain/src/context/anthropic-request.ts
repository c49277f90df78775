import type { Json, JsonObject } from '@app/kernel';
import type { Block } from '../message/index.js';
import type { Manifest } from './manifest.js';
import type { WireMessage, WireRequest } from './wire.js';

export type AnthropicMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };
/** The body of `POST /v1/messages`. */
export type AnthropicRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly JsonObject[];
  readonly messages: readonly AnthropicMessage[];
  readonly tools?: readonly JsonObject[];
};

/** More cache marks than this in one request are refused. */
const CACHE_MARKS_MAX = 4;

export const anthropicRequest = (manifest: Manifest, { messages, tools }: WireRequest): AnthropicRequest => {
  const [prompt, ...more] = manifest.system;
  const system = more.length === 0 ? prompt : manifest.system.map((text) => ({ type: 'text', text }));
  return {
    model: manifest.model,
    max_tokens: manifest.maxOutput,
    ...(system !== undefined && { system }),
    messages: withFewCacheMarks(messages.flatMap(messageOf)),
    ...(tools.length > 0 && { tools }),
  };
};

const messageOf = (message: WireMessage): AnthropicMessage[] => {
  if (message.role === 'assistant') return [{ role: 'assistant', content: message.blocks }];
  if (message.role === 'user') return [{ role: 'user', content: [...message.results, ...message.blocks] }];
  return []; // System messages have become user messages before.
};

/** Recorded sessions keep every mark that each of their requests had: the newest ones are those that help. */
const withFewCacheMarks = (messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] => {
  let left = CACHE_MARKS_MAX;
  const unmarked = (block: Block): Block => {
    if (block.cache_control === undefined || block.cache_control === null) return block;
    left -= 1;
    if (left >= 0) return block;
    const { cache_control: _, ...rest } = block;
    return rest as Block & Record<string, Json>;
  };
  return messages
    .toReversed()
    .map((message) => ({ ...message, content: message.content.toReversed().map(unmarked).toReversed() }))
    .toReversed();
};
