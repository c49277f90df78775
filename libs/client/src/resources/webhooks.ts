import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type { EventType } from '../types/event-type.js';
import { itemsOf, type Page } from './pages.js';

/** Where events go, and which. */
export type WebhookSettings = {
  readonly url: string;
  /** What it is for. */
  readonly label?: string;
  /** Events of these types alone; of all where it is empty. */
  readonly types?: readonly EventType[];
  /** Events of these sessions alone; of all where it is empty. */
  readonly sessions?: readonly string[];
  /** `full`: with what people and models wrote; `none` where it is not given. */
  readonly content?: 'none' | 'full';
};
export type Webhook = Required<WebhookSettings> & {
  readonly webhookId: string;
  readonly registeredAt: string;
};
type DeliveryState = 'pending' | 'delivered' | 'dead';
export type WebhookDelivery = {
  /** The position of the event in the log. */
  readonly delivery: string;
  readonly session: string;
  readonly revision: number;
  readonly type: EventType;
  readonly state: DeliveryState;
  /** Tries so far. */
  readonly attempts: number;
  /** When it is tried next, where it waits. */
  readonly nextAt: string | null;
  /** A status, or what kept it from being sent. */
  readonly lastOutcome: string | null;
  readonly lastTriedAt: string | null;
};
type DeliveriesQuery = { readonly state?: DeliveryState; readonly limit?: number; readonly cursor?: string };

/** Webhooks of the tenant, and what is sent to them. */
export class Webhooks {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<{ readonly webhooks: readonly Webhook[] }> {
    return this.http.send('GET', path`/v1/webhooks`, {}, options);
  }

  show(webhook: string, options?: CallOptions): Promise<Webhook> {
    return this.http.send('GET', path`/v1/webhooks/${webhook}`, {}, options);
  }

  /** Has events from now on sent to a URL; `secret` is shown here and never again. */
  register(settings: WebhookSettings, options?: CallOptions): Promise<Webhook & { readonly secret: string }> {
    return this.http.send('POST', path`/v1/webhooks`, { body: settings }, options);
  }

  /** What is not named stays. */
  change(webhook: string, change: Partial<WebhookSettings>, options?: CallOptions): Promise<Webhook> {
    return this.http.send('PATCH', path`/v1/webhooks/${webhook}`, { body: change }, options);
  }

  /** What waits for it, and its dead letters, go with it. */
  remove(
    webhook: string,
    options?: CallOptions,
  ): Promise<{ readonly webhookId: string; readonly state: 'removed' }> {
    return this.http.send('DELETE', path`/v1/webhooks/${webhook}`, {}, options);
  }

  /** A new secret; until `validUntil` deliveries are signed with the old one as well. */
  rotateSecret(
    webhook: string,
    input: { readonly overlapSeconds?: number } = {},
    options?: CallOptions,
  ): Promise<{ readonly webhookId: string; readonly secret: string; readonly validUntil: string }> {
    return this.http.send('POST', path`/v1/webhooks/${webhook}/rotate-secret`, { body: input }, options);
  }

  /** Sends an event that is recorded nowhere, once and now. */
  test(
    webhook: string,
    options?: CallOptions,
  ): Promise<{ readonly delivered: boolean; readonly outcome: string }> {
    return this.http.send('POST', path`/v1/webhooks/${webhook}/test`, { body: {} }, options);
  }

  /** One page, newest first. */
  deliveries(
    webhook: string,
    query: DeliveriesQuery = {},
    options?: CallOptions,
  ): Promise<Page<WebhookDelivery>> {
    return this.http.send('GET', path`/v1/webhooks/${webhook}/deliveries`, { query }, options);
  }

  /** All deliveries, newest first, page by page as they are consumed. */
  allDeliveries(
    webhook: string,
    query: Omit<DeliveriesQuery, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return itemsOf((cursor) =>
      this.deliveries(webhook, { ...query, ...(cursor !== undefined && { cursor }) }, options),
    );
  }

  /** Everything that nobody took for a day, newest first. */
  deadLetters(webhook: string, options?: CallOptions): AsyncGenerator<WebhookDelivery, void, undefined> {
    return itemsOf((cursor) =>
      this.deliveries(webhook, { state: 'dead', ...(cursor !== undefined && { cursor }) }, options),
    );
  }

  /** Gives up a delivery that waits: what waits behind it is sent, and it is a dead letter. */
  skip(webhook: string, delivery: string, reason: string, options?: CallOptions): Promise<WebhookDelivery> {
    const at = path`/v1/webhooks/${webhook}/deliveries/${delivery}/skip`;
    return this.http.send('POST', at, { body: { reason } }, options);
  }

  /** Has a dead letter sent again, from its first try on. */
  replay(webhook: string, delivery: string, options?: CallOptions): Promise<WebhookDelivery> {
    const at = path`/v1/webhooks/${webhook}/deliveries/${delivery}/replay`;
    return this.http.send('POST', at, { body: {} }, options);
  }
}
