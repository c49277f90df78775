import type { Block } from '@app/domain';
import { canonicalJson, isJsonObject, type JsonObject } from '@app/kernel';

/**
 * What an item of OpenAI's APIs was, kept in the member `openai` of the first block that it became, where the blocks alone
 * would not give it back; the other blocks of the item say `true` there.
 */
export const keepingOriginal = (
  blocks: readonly Block[],
  item: JsonObject,
  written: readonly JsonObject[],
): readonly Block[] => {
  if (written.length === 1 && canonicalJson(written[0]) === canonicalJson(item)) return blocks;
  return blocks.map((block, at) => ({ ...block, openai: at === 0 ? item : true }));
};

/** The item that a block was kept from; `part` where it belongs to the block before it. */
export const originalOf = ({ openai }: Block): JsonObject | 'part' | undefined => {
  if (openai === true) return 'part';
  return isJsonObject(openai) ? openai : undefined;
};
