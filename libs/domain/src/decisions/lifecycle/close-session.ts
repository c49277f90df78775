import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { CloseSessionCommand } from '../commands.js';
import { cancelled } from '../compactions/cancel-compaction.js';

/** Closes a session permanently and cancels its compactions. */
export const closeSession = (
  { data: { reason } }: CloseSessionCommand,
  session: OpenSession,
): readonly SessionEvent[] => [
  ...cancelled(session, 'close', 'the session was closed'),
  { type: 'SessionClosed', data: { reason } },
];
