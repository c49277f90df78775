import { type Block, isToolResult } from '@app/domain';
import { isJsonObject, isSameJson, type JsonObject, ownMember } from '@app/kernel';

/**
 * Keeps an OpenAI item in the member `openai` of its first block if the blocks alone cannot restore it; its other
 * blocks have `true` there. Of a result, which may be large, only members that the block cannot restore are kept.
 */
export const keepingOriginal = (
  blocks: readonly Block[],
  item: JsonObject,
  written: readonly JsonObject[],
): readonly Block[] => {
  const [only, ...more] = written;
  if (only && more.length === 0) {
    if (isSameJson(only, item)) return blocks;
    const [result, ...others] = blocks;
    const beside = result && isToolResult(result) && others.length === 0 ? besideOf(item, only) : undefined;
    if (result && beside) return [{ ...result, openai: beside }];
  }
  return blocks.map((block, at) => ({ ...block, openai: at === 0 ? item : true }));
};

/** Returns the members of an item beyond the written form; `undefined` if other members differ. */
const besideOf = (item: JsonObject, written: JsonObject): JsonObject | undefined => {
  const isSame = Object.entries(written).every(
    ([name, value]) =>
      ownMember(item, name) !== undefined && value !== undefined && isSameJson(ownMember(item, name), value),
  );
  const beside = Object.fromEntries(Object.entries(item).filter(([name]) => !Object.hasOwn(written, name)));
  return isSame && !isWhole(beside) ? beside : undefined;
};

const isWhole = (item: JsonObject): boolean => 'role' in item || 'type' in item;

/** Returns the original item of a block; `part` if it belongs to the previous block's item. */
export const originalOf = ({ openai }: Block): JsonObject | 'part' | undefined => {
  if (openai === true) return 'part';
  return isJsonObject(openai) && isWhole(openai) ? openai : undefined;
};

/** Returns a written result with the additional members of its original item. */
export const withBeside = (written: JsonObject, { openai }: Block): JsonObject =>
  isJsonObject(openai) && !isWhole(openai) ? { ...written, ...openai } : written;
