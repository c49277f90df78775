import type { JsonObject } from '@app/kernel';
import { type Headers, json, type Outgoing } from '../../server/outgoing.js';

/** A request that Anthropic rejects, with the error. */
export type Refusal = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** `details.error_code`, if Anthropic sends one. */
  readonly code?: string;
  readonly headers?: Headers;
};

/** 400 `invalid_request_error`. */
export const invalid = (message: string, code?: string): Refusal => ({
  ...{ status: 400, type: 'invalid_request_error', message },
  ...(code !== undefined && { code }),
});

export const notFound = (message: string): Refusal => ({ status: 404, type: 'not_found_error', message });

export const errorBody = ({ type, message, code }: Refusal, requestId: string): JsonObject => ({
  type: 'error',
  error: { type, message, details: code === undefined ? null : { error_code: code } },
  request_id: requestId,
});

export const refuse = (refusal: Refusal, requestId: string): Outgoing =>
  json(refusal.status, errorBody(refusal, requestId), refusal.headers && { headers: refusal.headers });
