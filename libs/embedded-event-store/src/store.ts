import type { EventLog } from './log/event-log.js';
import type { Groups } from './persistent/groups.js';
import type { Access } from './security/calls/access.js';
import type { OpenCalls } from './wire/open-calls.js';

/** What every handler of a call works with. */
export type Store = {
  readonly log: EventLog;
  readonly groups: Groups;
  readonly calls: OpenCalls;
  /** Who may do what with which stream. */
  readonly access: Access;
  /** The most bytes of data and metadata that one append may have. */
  readonly appendSizeMax: number;
};
