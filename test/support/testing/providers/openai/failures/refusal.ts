import type { JsonObject } from '@app/kernel';
import { type Headers, json, type Outgoing } from '../../server/outgoing.js';

/** A request that OpenAI rejects, with the error. */
export type Refusal = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly param?: string | null;
  readonly code?: string | null;
  readonly headers?: Headers;
};

/** 400 `invalid_request_error`. */
export const invalid = (
  message: string,
  param: string | null = null,
  code: string | null = null,
): Refusal => ({
  ...{ status: 400, type: 'invalid_request_error', message, param, code },
});

export const errorOf = ({ message, type, param = null, code = null }: Refusal): JsonObject => ({
  ...{ message, type, param, code },
});

export const refuse = (refusal: Refusal): Outgoing =>
  json(refusal.status, { error: errorOf(refusal) }, refusal.headers && { headers: refusal.headers });
