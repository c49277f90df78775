import { type Block, blockFrom } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import { readItem } from '../wires/openai-responses/blocks.js';

/** Returns the reasoning of an answer: the provider's blocks if the log has them, else text and opaque part. */
export const reasoning = (data: JsonObject): readonly Block[] => {
  const blocks = (listIn(objectIn(data, 'reasoningBlocks') ?? {}, 'blocks') ?? []).flatMap(nativeBlock);
  if (blocks.length > 0) return blocks;
  const text = stringIn(data, 'reasoningText');
  const signature = stringIn(data, 'reasoningOpaque') ?? stringIn(data, 'encryptedContent');
  if (text === undefined && signature === undefined) return [];
  return [{ type: 'thinking', thinking: text ?? '', ...(signature !== undefined && { signature }) }];
};

/** Anthropic's block, or OpenAI's item. */
const nativeBlock = (native: Json): readonly Block[] => {
  if (!isJsonObject(native)) return [];
  if (native.type === 'reasoning') return readItem(native).blocks;
  const isReasoning = native.type === 'thinking' || native.type === 'redacted_thinking';
  return isReasoning ? [blockFrom(native)].filter((block) => block !== undefined) : [];
};
