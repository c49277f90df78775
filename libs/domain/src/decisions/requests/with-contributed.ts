import type { Tokens } from '@app/kernel';
import type { OpenSession } from '../../session/state.js';

/** Returns the session with `contributed` tokens of contributions to its next request; unchanged without a number. */
export const withContributed = (session: OpenSession, contributed: Tokens | undefined): OpenSession =>
  contributed === undefined || contributed === session.request.contributed
    ? session
    : { ...session, request: { ...session.request, contributed } };
