export const TLOG_ERROR_CODES = [
  /** Input is not as its format says; the message names the line. */
  'malformed',
  /** No signature is by a key that is trusted. */
  'unknown-key',
  /** A signature by a trusted key does not verify. */
  'bad-signature',
  /** A Merkle proof does not lead to the signed root. */
  'bad-proof',
  /** Fewer witnesses have cosigned than the policy asks for. */
  'no-quorum',
] as const;
export type TlogErrorCode = (typeof TLOG_ERROR_CODES)[number];

/** The only error that functions of this package throw on input from outside. */
export class TlogError extends Error {
  constructor(
    readonly code: TlogErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'TlogError';
  }
}

/** @param line of `what`, from 1. */
export const malformed = (what: string, line: number, problem: string): TlogError =>
  new TlogError('malformed', `${what}, line ${line}: ${problem}`);
