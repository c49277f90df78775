import { isJsonObject, type JsonObject } from '@app/kernel';
import { isToolUse } from '../../message/index.js';
import type { WireMessage, WireRequest } from '../../message/wire.js';
import type { Manifest } from '../manifest.js';
import { addAssistantItems, addUserItems, isCustomCall } from './items.js';

/** The body of `POST /v1/responses`. Nothing of it is kept by the provider: the session is. */
export type OpenAiResponsesRequest = {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly JsonObject[];
  readonly tools?: readonly JsonObject[];
  readonly include?: readonly string[];
  readonly store: false;
  readonly max_output_tokens: number;
};

/** The provider refuses less. */
const OUTPUT_MIN = 16;

/** Models that reason, and so have something to encrypt: others refuse to be asked for it. */
const REASONS = /(?:^|[/:])(?:o\d|codex|gpt-(?:[5-9]|\d\d)(?![^/]*chat))/;

export const openAiResponsesRequest = (
  { model, system, maxOutput, tools: declared }: Manifest,
  { parts, tools }: WireRequest,
): OpenAiResponsesRequest => {
  const messages = parts.flat();
  const custom = customCalls(messages);
  const undeclared = new Set(tools.slice(declared.length));
  const input: JsonObject[] = [];
  for (const message of messages) addItems(message, custom.ids, input);
  return {
    model,
    ...(system.length > 0 && { instructions: system.join('\n\n') }),
    input,
    ...(tools.length > 0 && {
      tools: tools.map((tool) =>
        undeclared.has(tool) && custom.names.has(tool.name)
          ? { type: 'custom', name: tool.name }
          : toolOf(tool),
      ),
    }),
    ...(REASONS.test(model) && { include: ['reasoning.encrypted_content'] }),
    store: false,
    max_output_tokens: Math.max(OUTPUT_MIN, maxOutput),
  };
};

const addItems = (message: WireMessage, custom: ReadonlySet<string>, items: JsonObject[]): void => {
  switch (message.role) {
    case 'system':
      items.push({ role: 'developer', content: message.text });
      return;
    case 'assistant':
      addAssistantItems(message, items);
      return;
    case 'user':
      addUserItems(message, custom, items);
  }
};

/** The calls that were made of custom tools, and the tools that were never called otherwise. */
const customCalls = (messages: readonly WireMessage[]) => {
  const ids = new Set<string>();
  const names = new Set<unknown>();
  const others = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.blocks) {
      if (!isToolUse(block)) continue;
      if (isCustomCall(block)) {
        ids.add(block.id);
        names.add(block.name);
      } else others.add(block.name);
    }
  }
  for (const name of others) names.delete(name);
  return { ids, names };
};

/** Converts a tool from any declared form. The Responses form is unchanged. */
const toolOf = (tool: JsonObject): JsonObject => {
  if (isJsonObject(tool.function)) return { type: 'function', strict: false, ...tool.function };
  if (isJsonObject(tool.custom)) return { type: 'custom', ...tool.custom };
  if (typeof tool.type === 'string' && tool.input_schema === undefined) return tool;
  const { name, description, input_schema: parameters = { type: 'object' } } = tool;
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    ...{ parameters, strict: false },
  };
};
