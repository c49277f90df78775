import type { Entry } from '../entry.js';
import type { SessionState } from '../state.js';
import { appendMessage, evolve } from './evolve.js';
import type { Placed } from './placed.js';

/**
 * `evolve` for one event after the other, in linear time: messages are added to a list of this fold's own. A new list
 * for each of them, as single events need it, would take half a minute for 50,000.
 */
export const fold = (start: SessionState, events: Iterable<Placed>): SessionState => {
  let own: Entry[] = [];
  // Nobody else sees the states between, so that the list that they share may grow.
  const add = (entries: readonly Entry[], entry: Entry): readonly Entry[] => {
    if (entries !== own) own = [...entries];
    own.push(entry);
    return own;
  };
  let state = start;
  for (const placed of events) {
    const { event } = placed;
    state =
      event.type === 'MessageAppended' && state.status === 'open'
        ? appendMessage(state, event, placed, add)
        : evolve(state, placed);
  }
  return state;
};
