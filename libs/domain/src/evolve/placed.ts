import type { Revision } from '@app/kernel';
import type { SessionEvent } from '../session/events.js';

/** An event and its place in the session's stream. */
export type Placed = {
  readonly event: SessionEvent;
  readonly revision: Revision;
  /** A message that a revert has taken out of the context again: it counts as appended, and is not shown. */
  readonly withdrawn?: true;
};
