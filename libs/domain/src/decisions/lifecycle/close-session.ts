import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { CloseSessionCommand } from '../commands.js';
import { cancelled } from '../compactions/cancelled.js';

/** Ends a session for good. What is under way for it has no use any more. */
export const closeSession = (
  { data: { reason } }: CloseSessionCommand,
  session: OpenSession,
): readonly SessionEvent[] => [
  ...cancelled(session, 'close', 'the session was closed'),
  { type: 'SessionClosed', data: { reason } },
];
