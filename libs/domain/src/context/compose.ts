import { isJsonObject, isWellFormed, type Json, type JsonObject, toWellFormed } from '@app/kernel';
import { type Block, blockFrom, isReasoning, type Message } from '../message/index.js';
import type { WireFormat, WireNote, WireRequest } from '../message/wire.js';
import { mapGrown } from '../session/grow.js';
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
import { composeGrown } from './wire/compose-grown.js';

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
  readonly parts: WireRequest['parts'];
};

export const compose = <Format extends WireFormat>(
  given: Manifest,
  format: Format,
): ComposedRequest<Format> => {
  const manifest = wellFormed(given);
  const wire = composeGrown(manifest, format);
  const { write, validate }: Form<Format> = FORMS[format];
  const request = write(manifest, wire);
  const { notes, parts } = wire;
  return {
    ...{ format, request, notes, parts },
    get violations() {
      return validate(request);
    },
  };
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

/**
 * The manifest with the replacement character for every lone surrogate: providers refuse a body that holds one. Tool
 * outputs do, where something has cut them in the middle of a character. Reasoning is never altered: a block that
 * holds one stays out.
 */
const wellFormed = (manifest: Manifest): Manifest => ({
  ...manifest,
  system: manifest.system.map(toWellFormed),
  tools: manifest.tools.map((tool) => (isKnownClean(tool) ? tool : object(tool))),
  contributions: manifest.contributions.map(toWellFormed),
  pinned: manifest.pinned === undefined ? undefined : toWellFormed(manifest.pinned),
  record: manifest.record === undefined ? undefined : toWellFormed(manifest.record),
  messages: wellFormedMessages(manifest.messages),
});

const wellFormedMessages = mapGrown(
  (message: Message): Message =>
    isKnownClean(message.blocks) ? message : { ...message, blocks: message.blocks.flatMap(block) },
);

/** Values without a lone surrogate: each is sent many times, and never changes. */
const CLEAN = new WeakSet<object>();

const isKnownClean = (value: JsonObject | readonly Block[]): boolean => {
  if (CLEAN.has(value)) return true;
  const isNow = isClean(value);
  if (isNow) CLEAN.add(value);
  return isNow;
};

const block = (given: Block): Block[] => {
  if (isClean(given)) return [given];
  if (isReasoning(given)) return [];
  return [blockFrom(object(given)) ?? given];
};

const isClean = (value: Json | undefined): boolean => {
  if (typeof value === 'string') return isWellFormed(value);
  if (Array.isArray(value)) return value.every((item: Json) => isClean(item));
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => isWellFormed(name) && isClean(member));
};

const clean = (value: Json): Json => {
  if (typeof value === 'string') return toWellFormed(value);
  if (Array.isArray(value)) return value.map((item: Json) => clean(item));
  return isJsonObject(value) ? object(value) : value;
};
const object = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      toWellFormed(name),
      member === undefined ? member : clean(member),
    ]),
  );
