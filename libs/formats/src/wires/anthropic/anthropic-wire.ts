import type { Block } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Opening, Wire } from '../wire.js';
import { anthropicAnswer } from './answer.js';
import { anthropicError } from './error.js';
import { foldAnthropic } from './fold.js';
import { readAnthropic } from './read.js';
import { anthropicRecall } from './recall.js';

/** Anthropic's messages. */
export const anthropicWire: Wire = {
  name: 'anthropic',
  history: 'messages',
  read: readAnthropic,
  namesIn: () => [],
  answer: anthropicAnswer,
  answerOf: (stream) => {
    const message = foldAnthropic(stream);
    return message && anthropicAnswer(message);
  },
  itemsOf: ({ role, blocks }) => (blocks.length === 0 ? [] : [{ role, content: blocks.map(without) }]),
  opening: (texts, first) => {
    const blocks: readonly JsonObject[] = texts.map((text) => ({ type: 'text', text }));
    return joined(blocks, first) ?? { items: [{ role: 'user', content: blocks }], tookFirst: false };
  },
  ending: /message_stop/,
  preamble: new Set(),
  error: anthropicError,
  recall: anthropicRecall,
};

/** One message with the user's first one: two in a row are one to the provider. Results would have to come first. */
const joined = (blocks: readonly JsonObject[], first: JsonObject | undefined): Opening | undefined => {
  if (first?.role !== 'user') return undefined;
  const content: readonly Json[] =
    typeof first.content === 'string'
      ? [{ type: 'text', text: first.content }]
      : Array.isArray(first.content)
        ? first.content
        : [];
  if (content.some((block) => isJsonObject(block) && block.type === 'tool_result')) return undefined;
  return { items: [{ ...first, content: [...blocks, ...content] }], tookFirst: true };
};

/** Returns a block without fields of other providers. */
const without = (block: Block): JsonObject => {
  if (block.openai === undefined) return block;
  const { openai: _, ...rest } = block;
  return rest;
};
