import type { Block } from '../../message/index.js';

/** A message of Anthropic's API. */
export type AnthropicMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };
