import type { Usage } from '@app/domain';

/** What kept a summarizer from answering, in terms that the caller can act on. */
export type SummarizerFault =
  /** Too many requests: the provider says when to come again, or does not. */
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

export type SummarizerErrorOptions = {
  /** What the provider asked to be left alone for. */
  readonly retryAfterMs?: number;
  /** Of HTTP. */
  readonly status?: number;
  /** What it billed all the same. */
  readonly usage?: Usage;
  /** What it is about, in names: a provider's name for the error, the name of a secret. */
  readonly about?: string;
  readonly cause?: unknown;
};

/** The one error that a summarizer throws of its own accord. Its message holds numbers and names, never content. */
export class SummarizerError extends Error {
  override readonly name = 'SummarizerError';
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly usage: Usage | undefined;

  constructor(
    readonly fault: SummarizerFault,
    { retryAfterMs, status, usage, about, cause }: SummarizerErrorOptions = {},
  ) {
    const details = [status, about].filter((detail) => detail !== undefined).join(', ');
    super(`the summarizer did not answer: ${fault}${details === '' ? '' : ` (${details})`}`, { cause });
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    this.usage = usage;
  }

  /** Whether the same request may be answered later. */
  get isPassing(): boolean {
    return PASSING.has(this.fault);
  }
}
