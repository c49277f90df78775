import type { Revision } from '@app/kernel';
import type { SessionEvent } from '../events.js';

/** An event and its place in the session's stream. */
export type Placed = { readonly event: SessionEvent; readonly revision: Revision };
