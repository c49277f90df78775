export type WebhookCall = {
  readonly url: string;
  /** The same for every try of the same event: receivers tell by it what they have seen. */
  readonly id: string;
  /** A CloudEvent as JSON. */
  readonly body: string;
  /** Of the newest secret and, while it still counts, the one before: a signature of each. */
  readonly secrets: readonly string[];
};

/** What became of one try; `retryAfterMs` is what the receiver asked for. */
export type WebhookAnswer =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs?: number }
  | {
      readonly kind: 'unreachable';
      readonly reason: 'address-forbidden' | 'timed-out' | 'connection-failed';
    };

export interface WebhookSender {
  /** One try. It never rejects for what the receiver, or the way to it, is at fault for. */
  send(call: WebhookCall, signal?: AbortSignal): Promise<WebhookAnswer>;
  /** @throws {AppError} `address-forbidden` where the URL leads, or could lead, to a private address. */
  requireAllowed(url: string): Promise<void>;
}
