import { Tokens } from '@app/kernel';
import type { Reinjected } from '../../session/facts.js';

/** What can be given again, counted: `frame` is what stands around all of it. */
export type CountedReinjection = { readonly frame: Tokens; readonly items: readonly Reinjected[] };

/** What of it fits into `room` tokens, in its order; what does not fit is passed over for smaller ones behind it. */
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
