import type { ErrorCode, Fault } from '../generated/types.js';

/** Problem details (RFC 9457) with the members of the code. */
export type Problem = { readonly [member: string]: unknown };

export type PalimpsestErrorOptions = {
  readonly status?: number;
  readonly faults?: readonly Fault[];
  readonly problem?: Problem;
  readonly retryAfterMs?: number;
  readonly attempts?: number;
  readonly cause?: unknown;
};

/**
 * Every failure of a call except its cancellation. `code` is stable: `/errors/CODE` explains each code. The client adds
 * two: `service-unreachable` for a service that does not answer in time, and `unexpected-answer` for an answer of
 * another server. A later version of the service may send further codes: a `switch` needs a `default`.
 */
export class PalimpsestError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PalimpsestError';
  /** HTTP status; `undefined` without an answer. */
  readonly status: number | undefined;
  /** Faults of an invalid request. */
  readonly faults: readonly Fault[];
  /** All problem details, which may contain facts that a program can use, such as `remedies`. */
  readonly problem: Problem;
  /** Milliseconds of `Retry-After`, if given. */
  readonly retryAfterMs: number | undefined;
  /** Number of attempts. */
  readonly attempts: number;

  constructor(
    readonly code: Code,
    /** Cause and remedy as text for people, without content and keys. */
    readonly detail: string,
    { status, faults = [], problem = {}, retryAfterMs, attempts = 1, cause }: PalimpsestErrorOptions = {},
  ) {
    super(detail, { cause });
    this.status = status;
    this.faults = faults;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
    this.attempts = attempts;
  }

  /** Sets the number of attempts, and returns the error. */
  after(attempts: number): this {
    return Object.assign(this, { attempts });
  }
}

/** Returns whether `error` is a failure with one of `codes`, and narrows its `code` to them. */
export const hasCode = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly [Code, ...Code[]]
): error is PalimpsestError<Code> =>
  error instanceof PalimpsestError && codes.some((code) => code === error.code);
