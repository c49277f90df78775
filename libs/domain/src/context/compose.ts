import type { WireFormat, WireMessage, WireNote, WireRequest } from '../message/wire.js';
import { type AnthropicRequest, anthropicRequest } from './anthropic/anthropic-request.js';
import { validateAnthropic } from './anthropic/validate-anthropic.js';
import type { Manifest } from './manifest.js';
import { type OpenAiChatRequest, openAiChatRequest } from './openai-chat/openai-chat-request.js';
import { validateOpenAiChat } from './openai-chat/validate-openai-chat.js';
import {
  type OpenAiResponsesRequest,
  openAiResponsesRequest,
} from './openai-responses/openai-responses-request.js';
import { validateOpenAiResponses } from './openai-responses/validate-openai-responses.js';
import type { Violation } from './violation.js';
import { composeWire } from './wire/compose-wire.js';
import { wellFormed } from './wire/well-formed.js';

type RequestOf = {
  readonly anthropic: AnthropicRequest;
  readonly 'openai-chat': OpenAiChatRequest;
  readonly 'openai-responses': OpenAiResponsesRequest;
};

/**
 * The exact body of a request, the changes of composing, and its violations of the provider's rules, which must be
 * empty.
 */
export type ComposedRequest<Format extends WireFormat = WireFormat> = {
  readonly format: Format;
  readonly request: RequestOf[Format];
  readonly notes: readonly WireNote[];
  readonly violations: readonly Violation[];
  /** The messages before they took the provider's form; their unchanged blocks are the objects of the session. */
  readonly spoken: readonly WireMessage[];
};

export const compose = <Format extends WireFormat>(
  given: Manifest,
  format: Format,
): ComposedRequest<Format> => {
  const manifest = wellFormed(given);
  const wire = composeWire(manifest, format);
  const { write, validate }: Form<Format> = FORMS[format];
  const request = write(manifest, wire);
  return { format, request, notes: wire.notes, violations: validate(request), spoken: wire.messages };
};

type Form<Format extends WireFormat> = {
  readonly write: (manifest: Manifest, wire: WireRequest) => RequestOf[Format];
  readonly validate: (request: RequestOf[Format]) => readonly Violation[];
};
const FORMS: { readonly [Format in WireFormat]: Form<Format> } = {
  anthropic: { write: anthropicRequest, validate: validateAnthropic },
  'openai-chat': { write: openAiChatRequest, validate: validateOpenAiChat },
  'openai-responses': { write: openAiResponsesRequest, validate: validateOpenAiResponses },
};

/** Returns the messages or items of a request. */
export const historyIn = (request: object): readonly unknown[] => {
  const history = 'input' in request ? request.input : 'messages' in request ? request.messages : [];
  return Array.isArray(history) ? history : [];
};
