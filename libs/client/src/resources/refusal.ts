import type { Refused } from '../generated/types.js';
import { hasCode } from '../transport/errors.js';

/** Returns the refusal of `sessions.compose`; `undefined` for every other error. */
export const refusalIn = (error: unknown): Refused | undefined => {
  if (!hasCode(error, 'request-refused')) return undefined;
  const { type: _, title: __, status: ___, code: ____, detail: _____, ...refused } = error.problem;
  return isRefused(refused) ? refused : undefined;
};

const isRefused = (value: object): value is Refused =>
  'outcome' in value && value.outcome === 'refused' && 'remedies' in value && Array.isArray(value.remedies);
