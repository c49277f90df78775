import type { EventLog } from './log/event-log.js';
import type { Groups } from './persistent/groups.js';
import type { Access } from './security/calls/access.js';
import type { OpenCalls } from './wire/open-calls.js';

/** The dependencies of call handlers. */
export type Store = {
  readonly log: EventLog;
  readonly groups: Groups;
  readonly calls: OpenCalls;
  /** Access control of streams. */
  readonly access: Access;
  /** The maximum bytes of data and metadata per append. */
  readonly appendSizeMax: number;
};
