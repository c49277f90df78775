import type { Block } from '@app/domain';

/** Blocks that an agent has put into a message of the user's: known by themselves, since readers join and part messages. */
const INSERTED = new WeakSet<Block>();

/** Marks blocks as inserted by the agent, so that they do not count as user text. */
export const asInserted = (blocks: readonly Block[]): readonly Block[] => {
  for (const block of blocks) INSERTED.add(block);
  return blocks;
};

/** Returns the indexes of marked blocks; `undefined` without any. */
export const insertedIn = (blocks: readonly Block[]): readonly number[] | undefined => {
  const places = blocks.flatMap((block, at) => (INSERTED.has(block) ? [at] : []));
  return places.length > 0 ? places : undefined;
};
