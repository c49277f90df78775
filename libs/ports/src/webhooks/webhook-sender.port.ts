export type WebhookCall = {
  readonly url: string;
  /** Equal for all attempts of one event, for deduplication by the receiver. */
  readonly id: string;
  /** A CloudEvent as JSON. */
  readonly body: string;
  /** The newest secret and, during the overlap, the one before: a request has a signature of each. */
  readonly secrets: readonly string[];
};

/** The result of an attempt; `retryAfterMs` is the delay requested by the receiver. */
export type WebhookAnswer =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs?: number }
  | {
      readonly kind: 'unreachable';
      readonly reason: 'address-forbidden' | 'timed-out' | 'connection-failed';
    };

export interface WebhookSender {
  /** Makes one attempt. Never rejects for a failure of receiver or network. */
  send(call: WebhookCall, signal?: AbortSignal): Promise<WebhookAnswer>;
  /** @throws {AppError} `address-forbidden` where the URL leads, or could lead, to a private address. */
  requireAllowed(url: string): Promise<void>;
}
