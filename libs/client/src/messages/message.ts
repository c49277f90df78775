import type { Message, Usage } from '../generated/types.js';

/** An answer of a model for `sessions.append`. */
export type Answered = {
  readonly messages: readonly Message[];
  readonly usage?: Usage;
  /** Why the turn ended; absent if it continues with tool results. */
  readonly stopReason?: string;
};
