import { Tokens } from '@app/kernel';
import type { Reinjected } from '../../session/facts.js';

/** Restorable content with its token counts; `frame` is the size of the frame around all parts. */
export type CountedReinjection = { readonly frame: Tokens; readonly items: readonly Reinjected[] };

/** Returns the parts that fit into `room` tokens, in order. A part that does not fit is skipped. */
export const fitReinjection = (
  { frame, items }: CountedReinjection,
  room: number,
): { readonly items: readonly Reinjected[]; readonly countedTokens: Tokens } => {
  const fitting: Reinjected[] = [];
  let used: number = frame;
  for (const item of items) {
    if (used + item.countedTokens > room) continue;
    used += item.countedTokens;
    fitting.push(item);
  }
  return fitting.length === 0
    ? { items: [], countedTokens: Tokens(0) }
    : { items: fitting, countedTokens: Tokens(used) };
};
