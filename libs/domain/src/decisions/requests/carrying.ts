import type { Tokens } from '@app/kernel';
import type { OpenSession } from '../../session/state.js';

/** The session with a request about to go out that carries `contributed` tokens besides it; as it is where nobody says. */
export const carrying = (session: OpenSession, contributed: Tokens | undefined): OpenSession =>
  contributed === undefined || contributed === session.request.contributed
    ? session
    : { ...session, request: { ...session.request, contributed } };
