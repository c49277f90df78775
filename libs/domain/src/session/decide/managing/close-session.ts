import type { CloseSessionCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { cancelled } from '../compacting/cancelled.js';

/** Ends a session for good. What is under way for it has no use any more. */
export const closeSession = (
  { data: { reason } }: CloseSessionCommand,
  session: OpenSession,
): readonly SessionEvent[] => [
  ...cancelled(session, 'close', 'the session was closed'),
  { type: 'SessionClosed', data: { reason } },
];
