import { Attached } from '@app/kernel';
import type { Block } from '../../message/index.js';

/** The block that each copy under another name was made of. */
const RECORDED = new Attached<Block, Block>();

/** Returns a call or a result under the ID and name that a provider accepts. */
export const renamed = <Named extends Block>(block: Named, names: Partial<Named>): Named => {
  const copy = { ...block, ...names };
  RECORDED.set(copy, block);
  return copy;
};

/** Returns the recorded block of a renamed one, and any other block itself. */
export const recordedForm = (block: Block): Block => RECORDED.get(block) ?? block;
