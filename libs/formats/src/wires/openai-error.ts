import type { JsonObject } from '@app/kernel';
import type { WireFailure } from './wire.js';

/** An error in the shape of OpenAI's APIs. */
export const openAiError = ({ status, message, code, param }: WireFailure): JsonObject => ({
  error: { message, type: typeOf(status), param: param ?? null, code: code ?? null },
});

const typeOf = (status: number): string => {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
};
