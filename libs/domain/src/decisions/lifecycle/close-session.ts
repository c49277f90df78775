import type { Decide } from '../commands.js';
import { cancelled } from '../compactions/cancel-compaction.js';

/** Closes a session permanently and cancels its compactions. */
export const closeSession: Decide<'CloseSession'> = ({ data: { reason } }, session) => [
  ...cancelled(session, 'close', 'the session was closed'),
  { type: 'SessionClosed', data: { reason } },
];
