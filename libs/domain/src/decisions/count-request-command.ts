import type { DomainCommand, SessionId, Tokens } from '@app/kernel';
import type { CountFailure } from '../session/events.js';

/** What the provider has answered when it was asked for the size of the next request. */
export type CountRequestCommand = DomainCommand<
  'CountRequest',
  {
    sessionId: SessionId;
    /** Tokens of what the request carries besides the session, as counted here. */
    contributed: Tokens;
    answer: { readonly tokens: Tokens } | { readonly failure: CountFailure };
  }
>;
