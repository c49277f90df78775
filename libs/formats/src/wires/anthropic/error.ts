import type { JsonObject } from '@app/kernel';
import type { WireFailure } from '../wire.js';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An error in the shape of Anthropic's API; `code` is its `error_code`. */
export const anthropicError = ({ status, message, code }: WireFailure): JsonObject => ({
  type: 'error',
  error: {
    type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
    message,
    ...(code !== undefined && { details: { error_code: code } }),
  },
});
