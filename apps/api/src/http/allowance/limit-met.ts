import { RetryLater } from '../entry/retry-later.js';
import { headersOf } from './allowance.js';
import type { Verdict } from './rate-limits.js';

/** A tenant has taken all that one of its limits allows. Its answer says how the tenant stands, and how long to wait. */
export class LimitMet extends RetryLater {
  /** @param more what was carried out all the same, and what to do about the rest. */
  constructor({ standing }: Verdict, met: string, more = `try again in ${standing.resetSeconds} s`) {
    super(
      'rate-limited',
      `the tenant takes at most ${standing.limit} ${met}: ${more}`,
      headersOf(standing, true),
    );
  }
}
