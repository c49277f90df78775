import type { DomainCommand, SessionId, Tokens } from '@app/kernel';
import type { CountFailure } from '../session/events.js';

/** Reports the provider's token count of the next request. */
export type CountRequestCommand = DomainCommand<
  'CountRequest',
  {
    sessionId: SessionId;
    /** Counted tokens of the contributions to the request. */
    contributed: Tokens;
    answer: { readonly tokens: Tokens } | { readonly failure: CountFailure };
  }
>;
