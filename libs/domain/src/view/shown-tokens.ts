import type { OpenSession } from '../session/state.js';
import { freedByPlace } from '../turns/freed-by-place.js';
import { placeholderTokens } from './recall/placeholders.js';
import { viewOf } from './view.js';

/** Returns the counted tokens that a request takes of the message at a place; the lines in place of snipped ones aside. */
export const shownTokens = (session: OpenSession): ((at: number) => number) => {
  const marked = freedByPlace(session);
  const { snipped, cleared, muted } = viewOf(session);
  const gone = new Set<number>();
  for (const { start, end } of snipped) for (let at = start; at < end; at += 1) gone.add(at);
  const freed = new Map<number, number>();
  for (const { at, tokens } of cleared)
    freed.set(at, (freed.get(at) ?? 0) + tokens - placeholderTokens(session));
  for (const one of muted) freed.set(one.at, (freed.get(one.at) ?? 0) + one.freed);
  return (at) =>
    gone.has(at) ? 0 : (session.entries[at]?.tokens ?? 0) - (marked.get(at) ?? 0) - (freed.get(at) ?? 0);
};
