import { Attached, isJsonObject, type JsonObject } from '@app/kernel';
import type { Block } from '../../message/index.js';
import type { WireAssistant, WireMessage, WireRequest, WireUser } from '../../message/wire.js';
import type { Manifest } from '../manifest.js';
import {
  type AnthropicMessage,
  CACHE_MARKS_MAX,
  cacheMarksIn,
  cacheMarksOf,
  withFewCacheMarks,
} from './cache-marks.js';

/** The body of `POST /v1/messages`. */
export type AnthropicRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly JsonObject[];
  readonly messages: readonly AnthropicMessage[];
  readonly tools?: readonly JsonObject[];
};

export const anthropicRequest = (manifest: Manifest, { parts, tools }: WireRequest): AnthropicRequest => {
  const [prompt, ...more] = manifest.system;
  const system = more.length === 0 ? prompt : manifest.system.map((text) => ({ type: 'text', text }));
  const forms = parts.map(formOf);
  const messages = endingWithoutSpace(forms.flatMap((form) => form.messages));
  const marksLeft = CACHE_MARKS_MAX - cacheMarksIn(tools);
  const marks = forms.reduce((sum, form) => sum + form.marks, 0);
  return {
    model: manifest.model,
    max_tokens: manifest.maxOutput,
    ...(system !== undefined && { system }),
    messages: marks > marksLeft ? withFewCacheMarks(messages, marksLeft) : messages,
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
  };
};

type Form = { readonly messages: readonly AnthropicMessage[]; readonly marks: number };
const FORMS = new Attached<readonly WireMessage[], Form>();

/** Returns the messages of a part of a request, which are the same objects in every request with that part. */
const formOf = (part: readonly WireMessage[]): Form =>
  FORMS.once(part, () => {
    const messages = part.filter(isSpoken).map(messageOf);
    return { messages, marks: cacheMarksOf(messages) };
  });
export const anthropicMessagesOf = (part: readonly WireMessage[]): readonly AnthropicMessage[] =>
  formOf(part).messages;

/** System messages have become user messages before. */
const isSpoken = (message: WireMessage): message is WireAssistant | WireUser => message.role !== 'system';

const messageOf = (message: WireAssistant | WireUser): AnthropicMessage =>
  message.role === 'assistant'
    ? { role: 'assistant', content: ownOf(message.blocks) }
    : { role: 'user', content: ownOf(contentOf(message)) };

/** The API refuses white space at the end of a request that ends with text of the assistant. */
const endingWithoutSpace = (messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] => {
  const end = messages.at(-1);
  const last = end?.content.at(-1);
  if (end?.role !== 'assistant' || last?.type !== 'text') return messages;
  const text = last.text.trimEnd();
  if (text === last.text || text === '') return messages;
  return [...messages.slice(0, -1), { ...end, content: [...end.content.slice(0, -1), { ...last, text }] }];
};

/** Returns blocks without fields of other providers, because this API rejects unknown fields. */
const ownOf = (blocks: readonly Block[]): readonly Block[] =>
  blocks.every(({ openai }) => openai === undefined)
    ? blocks
    : blocks.map((block) => {
        const { openai: _, ...own } = block;
        return own as unknown as Block; // TypeScript knows no union without a member that none of it declares.
      });

/** Returns results and blocks; the same list if there are only either. */
export const contentOf = ({ results, blocks }: WireUser): readonly Block[] => {
  if (results.length === 0) return blocks;
  return blocks.length === 0 ? results : [...results, ...blocks];
};

/** Converts a tool from one of OpenAI's forms. */
const toolOf = (tool: JsonObject): JsonObject => {
  const declared = isJsonObject(tool.function)
    ? tool.function
    : isJsonObject(tool.custom)
      ? tool.custom
      : tool;
  const isOpenAis = declared !== tool || tool.type === 'function' || tool.type === 'custom';
  if (!isOpenAis || declared.input_schema !== undefined) return tool;
  const { name, description, parameters } = declared;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object' },
  };
};
