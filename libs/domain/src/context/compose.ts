import { type AnthropicRequest, anthropicRequest } from './anthropic/anthropic-request.js';
import { validateAnthropic } from './anthropic/validate-anthropic.js';
import type { Manifest } from './manifest.js';
import { type OpenAiChatRequest, openAiChatRequest } from './openai-chat/openai-chat-request.js';
import { validateOpenAiChat } from './openai-chat/validate-openai-chat.js';
import type { Violation } from './violation.js';
import { composeWire } from './wire/compose-wire.js';
import { wellFormed } from './wire/well-formed.js';
import type { WireFormat, WireNote } from './wire/wire.js';

/** The exact body of a request, what composing it changed, and the provider's rules that it breaks: none, ever. */
export type ComposedRequest = {
  readonly format: WireFormat;
  readonly request: AnthropicRequest | OpenAiChatRequest;
  readonly notes: readonly WireNote[];
  readonly violations: readonly Violation[];
};

export const compose = (given: Manifest, format: WireFormat): ComposedRequest => {
  const manifest = wellFormed(given);
  const wire = composeWire(manifest, format);
  if (format === 'anthropic') {
    const request = anthropicRequest(manifest, wire);
    return { format, request, notes: wire.notes, violations: validateAnthropic(request) };
  }
  const request = openAiChatRequest(manifest, wire);
  return { format, request, notes: wire.notes, violations: validateOpenAiChat(request) };
};
