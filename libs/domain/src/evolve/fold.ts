import { growInPlace } from '../session/grow.js';
import type { SessionState } from '../session/state.js';
import { evolveBy } from './evolve.js';
import type { Placed } from './placed.js';

/** `evolve` for one event after the other, in linear time: lists that events add to are this fold's own. */
export const fold = (start: SessionState, events: Iterable<Placed>): SessionState => {
  const grow = growInPlace();
  let state = start;
  for (const placed of events) state = evolveBy(grow, state, placed);
  return state;
};
