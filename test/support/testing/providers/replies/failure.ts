/** How a provider fails, in no provider's words; each server says it in its own. */
export type FailureName =
  /** 400, in the provider's own text: the input does not fit the window. */
  | 'overflow'
  /** 413 from the edge: an HTML body. */
  | 'too-large'
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  /** 429 that passes with time. */
  | 'rate-limited'
  /** 429 that does not: the account has nothing left. */
  | 'quota-exhausted'
  | 'server-error'
  /** 529 (Anthropic), 503 (OpenAI). */
  | 'overloaded'
  | 'gateway-timeout'
  /** 200 with a page of HTML, as from a captive portal. */
  | 'html'
  /** 502 with a page of HTML, as from a proxy. */
  | 'bad-gateway'
  /** 200 with half of a JSON body. */
  | 'half-json'
  /** 200 with no body. */
  | 'empty-body'
  /** The request is taken, and no byte ever comes back. */
  | 'never-answers'
  /** The socket is destroyed before any byte. */
  | 'hangs-up';

/** When to come again: `retry-after` in seconds or as a date, or `retry-after-ms`. */
export type RetryAfter =
  | { readonly seconds: number }
  | { readonly milliseconds: number }
  | { readonly date: Date };

export type Failure = {
  readonly kind: 'failure';
  readonly failure: FailureName;
  readonly retryAfter?: RetryAfter;
  /** Instead of the provider's own words. */
  readonly message?: string;
};

export const fail = (failure: FailureName, more: Omit<Failure, 'kind' | 'failure'> = {}): Failure => ({
  kind: 'failure',
  failure,
  ...more,
});
