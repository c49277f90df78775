import type { Usage } from '@app/domain';

/** The cause of a summarizer's failure, in categories that the caller can act on. */
export type SummarizerFault =
  /** Too many requests, with or without a retry delay. */
  | 'rate-limit'
  /** The provider has no room for this request now. */
  | 'overloaded'
  /** It failed on its own side, or broke off in the middle of an answer. */
  | 'unavailable'
  | 'timeout'
  /** The request does not fit the summarizer's own window. */
  | 'overflow'
  /** It will not do this, however often it is asked: no permission, a request that it does not take. */
  | 'refused'
  /** There is no summarizer of that name, or no key for it. */
  | 'not-configured';

/** Faults that time may cure. */
const PASSING: ReadonlySet<SummarizerFault> = new Set(['rate-limit', 'overloaded', 'unavailable', 'timeout']);

/** A refusal with one of these is about the credentials, or the model: no other request is answered either. */
const PERMANENT_STATUS: ReadonlySet<number> = new Set([401, 403, 404]);
const PERMANENT_NAMES: ReadonlySet<string> = new Set([
  'authentication_error',
  'permission_error',
  'not_found_error',
  'invalid_api_key',
  'model_not_found',
  'billing_error',
  'billing_hard_limit_reached',
  'insufficient_quota',
]);

export type SummarizerErrorOptions = {
  /** The retry delay requested by the provider, in milliseconds. */
  readonly retryAfterMs?: number;
  /** HTTP status. */
  readonly status?: number;
  /** Usage billed despite the failure. */
  readonly usage?: Usage;
  /** The subject as a name: the provider's error name, or the name of a secret. */
  readonly about?: string;
  readonly cause?: unknown;
};

/** The one error that a summarizer throws of its own accord. Its message holds numbers and names, never content. */
export class SummarizerError extends Error {
  override readonly name = 'SummarizerError';
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly usage: Usage | undefined;
  readonly about: string | undefined;

  constructor(
    readonly fault: SummarizerFault,
    { retryAfterMs, status, usage, about, cause }: SummarizerErrorOptions = {},
  ) {
    const details = [status, about].filter((detail) => detail !== undefined).join(', ');
    super(`the summarizer did not answer: ${fault}${details === '' ? '' : ` (${details})`}`, { cause });
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    this.usage = usage;
    this.about = about;
  }

  /** Whether the same request may be answered later. */
  get isPassing(): boolean {
    return PASSING.has(this.fault);
  }

  /**
   * Whether all requests fail until the configuration changes: no summarizer, bad credentials, no permission, an
   * unknown model, an account without credit.
   */
  get isPermanent(): boolean {
    if (this.fault === 'not-configured') return true;
    if (this.fault !== 'refused') return false;
    const { status, about } = this;
    return (
      (status !== undefined && PERMANENT_STATUS.has(status)) ||
      (about !== undefined && PERMANENT_NAMES.has(about))
    );
  }
}
