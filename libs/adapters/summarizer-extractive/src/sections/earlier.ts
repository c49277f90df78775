import { itemsOf } from '../facts/previous.js';
import { type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';

/** Returns the content of an earlier summary outside of known sections. */
export const earlierSection = ({ previous, focus }: Material): Section => {
  const lines = itemsOf(previous, 'Earlier').map(
    ({ text }, at): Line => ({ text, rank: focus(text) / (at + 1) }),
  );
  return { title: 'Earlier', groups: [list(lines)] };
};
