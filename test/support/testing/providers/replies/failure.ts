/** A provider-independent failure; each server formats it as its provider does. */
export type FailureName =
  /** 400 with the provider's text: the input does not fit the window. */
  | 'overflow'
  /** 413 from the edge: an HTML body. */
  | 'too-large'
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  /** 429 that passes with time. */
  | 'rate-limited'
  /** 429 that does not pass: the account has no quota left. */
  | 'quota-exhausted'
  | 'server-error'
  /** 529 (Anthropic), 503 (OpenAI). */
  | 'overloaded'
  | 'gateway-timeout'
  /** 200 with an HTML page, as from a captive portal. */
  | 'html'
  /** 502 with an HTML page, as from a proxy. */
  | 'bad-gateway'
  /** 200 with half of a JSON body. */
  | 'half-json'
  /** 200 with no body. */
  | 'empty-body'
  /** The request is accepted and never answered. */
  | 'never-answers'
  /** The socket is destroyed before any byte. */
  | 'hangs-up';

/** When to retry: `retry-after` in seconds or as a date, or `retry-after-ms`. */
export type RetryAfter =
  | { readonly seconds: number }
  | { readonly milliseconds: number }
  | { readonly date: Date };

export type Failure = {
  readonly kind: 'failure';
  readonly failure: FailureName;
  readonly retryAfter?: RetryAfter;
  /** Replaces the provider's own text. */
  readonly message?: string;
};

export const fail = (failure: FailureName, more: Omit<Failure, 'kind' | 'failure'> = {}): Failure => ({
  kind: 'failure',
  failure,
  ...more,
});
