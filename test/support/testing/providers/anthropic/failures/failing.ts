import type { Failure, FailureName } from '../../replies/failure.js';
import { edgeFailure, retryHeaders } from '../../server/edge.js';
import type { Outgoing } from '../../server/outgoing.js';
import { errorBody, invalid, notFound, type Refusal, refuse } from './refusal.js';

/** Returns each failure in Anthropic's format. `window` is part of the overflow text. */
const refusalOf = (failure: FailureName, window: number): Refusal => {
  switch (failure) {
    case 'overflow':
      return invalid(overflowText(window + 1, window));
    case 'bad-request':
      return invalid('messages: Input should be a valid list');
    case 'unauthorized':
      return { status: 401, type: 'authentication_error', message: 'invalid x-api-key' };
    case 'forbidden':
      return {
        ...{ status: 403, type: 'permission_error' },
        message: 'Your API key does not have permission to use the specified resource.',
      };
    case 'not-found':
      return notFound('Not Found');
    case 'rate-limited':
      return {
        ...{ status: 429, type: 'rate_limit_error' },
        message: 'This request would exceed the rate limit for your organization.',
      };
    case 'quota-exhausted':
      return {
        ...{ status: 429, type: 'rate_limit_error' },
        message: 'You have reached your specified API usage limits.',
      };
    case 'overloaded':
      return { status: 529, type: 'overloaded_error', message: 'Overloaded' };
    case 'gateway-timeout':
      return { status: 504, type: 'timeout_error', message: 'Request timed out' };
    default:
      return { status: 500, type: 'api_error', message: 'Internal server error' };
  }
};

export const overflowText = (tokens: number, window: number): string =>
  `prompt is too long: ${tokens} tokens > ${window} maximum`;

export const failing = ({ failure, retryAfter, message }: Failure, window: number, id: string): Outgoing => {
  const edge = edgeFailure(failure, '{"id":"msg_0","type":"message","role":"assi');
  if (edge) return edge;
  const refusal = refusalOf(failure, window);
  return refuse({ ...refusal, message: message ?? refusal.message, headers: retryHeaders(retryAfter) }, id);
};

/** Returns the event of a failure within a stream. */
export const errorFrame = (failure: FailureName, window: number, id: string): string =>
  `event: error\ndata: ${JSON.stringify(errorBody(refusalOf(failure, window), id))}\n\n`;
