import type { Failure, FailureName } from '../../replies/failure.js';
import { edgeFailure, retryHeaders } from '../../server/edge.js';
import type { Outgoing } from '../../server/outgoing.js';
import { invalid, type Refusal, refuse } from './refusal.js';

/** OpenAI's two APIs, which format some failures differently. */
export type Api = 'chat' | 'responses';

export const overflowOf = (api: Api, tokens: number, window: number): Refusal =>
  api === 'chat'
    ? invalid(
        `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
        'messages',
        'context_length_exceeded',
      )
    : invalid(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'input',
        'context_length_exceeded',
      );

/** Returns each failure in OpenAI's format. `window` is part of the overflow text. */
export const refusalOf = (failure: FailureName, api: Api, window: number): Refusal => {
  switch (failure) {
    case 'overflow':
      return overflowOf(api, window + 1, window);
    case 'bad-request':
      return invalid(
        "Invalid type for 'messages': expected an array of objects.",
        'messages',
        'invalid_type',
      );
    case 'unauthorized':
      return { ...invalid('Incorrect API key provided.', null, 'invalid_api_key'), status: 401 };
    case 'forbidden':
      return {
        ...{ status: 403, type: 'invalid_request_error', code: 'model_not_found' },
        message: 'Project does not have access to this model.',
      };
    case 'not-found':
      return { ...invalid('Invalid URL'), status: 404 };
    case 'rate-limited':
      return {
        ...{ status: 429, type: 'tokens', code: 'rate_limit_exceeded' },
        message: 'Rate limit reached for the model on tokens per min (TPM).',
      };
    case 'quota-exhausted':
      return {
        ...{ status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
        message: 'You exceeded your current quota, please check your plan and billing details.',
      };
    case 'overloaded':
      return {
        ...{ status: 503, type: 'service_unavailable_error', code: 'server_is_overloaded' },
        message: 'Our servers are currently overloaded. Please try again later.',
      };
    case 'gateway-timeout':
      return { status: 504, type: 'server_error', message: 'Gateway timeout.' };
    default:
      return {
        ...{ status: 500, type: 'server_error', code: 'server_error' },
        message: 'The server had an error while processing your request. Sorry about that!',
      };
  }
};

export const failing = ({ failure, retryAfter, message }: Failure, api: Api, window: number): Outgoing => {
  const edge = edgeFailure(failure, '{"id":"resp_0","object":"respo');
  if (edge) return edge;
  const refusal = refusalOf(failure, api, window);
  return refuse({ ...refusal, message: message ?? refusal.message, headers: retryHeaders(retryAfter) });
};
