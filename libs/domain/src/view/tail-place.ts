import type { OpenSession } from '../session/state.js';

/**
 * Returns the place from which on the newest messages belong to the tail that the read-time stages leave alone: they
 * take `viewKeepShare` of the window, as they were appended. It only ever moves on.
 */
export const tailPlace = ({ entries, limits, profile }: OpenSession): number => {
  let left = limits.window * profile.viewKeepShare;
  let place = entries.length;
  while (place > 0) {
    left -= entries[place - 1]?.tokens ?? 0;
    if (left < 0) break;
    place -= 1;
  }
  return place;
};
