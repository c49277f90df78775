import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type { EventType } from '../types/event-type.js';
import { itemsOf, type Page } from './pages.js';

/** Settings of a webhook. */
export type WebhookSettings = {
  readonly url: string;
  /** Purpose, for people. */
  readonly label?: string;
  /** Only events of these types; an empty list matches all. */
  readonly types?: readonly EventType[];
  /** Only events of these sessions; an empty list matches all. */
  readonly sessions?: readonly string[];
  /** `full` includes text; `none` by default. */
  readonly content?: 'none' | 'full';
};
export type Webhook = Required<WebhookSettings> & {
  readonly webhookId: string;
  readonly registeredAt: string;
};
type DeliveryState = 'pending' | 'delivered' | 'dead';
export type WebhookDelivery = {
  /** Log position of the event. */
  readonly delivery: string;
  readonly session: string;
  readonly revision: number;
  readonly type: EventType;
  readonly state: DeliveryState;
  /** Attempts so far. */
  readonly attempts: number;
  /** Time of the next attempt of a pending delivery. */
  readonly nextAt: string | null;
  /** HTTP status, or the reason why it was not sent. */
  readonly lastOutcome: string | null;
  readonly lastTriedAt: string | null;
};
type DeliveriesQuery = { readonly state?: DeliveryState; readonly limit?: number; readonly cursor?: string };

/** Webhooks of the tenant and their deliveries. */
export class Webhooks {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<{ readonly webhooks: readonly Webhook[] }> {
    return this.http.send('GET', path`/v1/webhooks`, {}, options);
  }

  show(webhook: string, options?: CallOptions): Promise<Webhook> {
    return this.http.send('GET', path`/v1/webhooks/${webhook}`, {}, options);
  }

  /** Registers a webhook for new events; `secret` is shown once. */
  register(settings: WebhookSettings, options?: CallOptions): Promise<Webhook & { readonly secret: string }> {
    return this.http.send('POST', path`/v1/webhooks`, { body: settings }, options);
  }

  /** Changes the given settings. */
  change(webhook: string, change: Partial<WebhookSettings>, options?: CallOptions): Promise<Webhook> {
    return this.http.send('PATCH', path`/v1/webhooks/${webhook}`, { body: change }, options);
  }

  /** Removes a webhook with its pending deliveries and dead letters. */
  remove(
    webhook: string,
    options?: CallOptions,
  ): Promise<{ readonly webhookId: string; readonly state: 'removed' }> {
    return this.http.send('DELETE', path`/v1/webhooks/${webhook}`, {}, options);
  }

  /** Rotates the secret; until `validUntil`, deliveries are also signed with the old one. */
  rotateSecret(
    webhook: string,
    input: { readonly overlapSeconds?: number } = {},
    options?: CallOptions,
  ): Promise<{ readonly webhookId: string; readonly secret: string; readonly validUntil: string }> {
    return this.http.send('POST', path`/v1/webhooks/${webhook}/rotate-secret`, { body: input }, options);
  }

  /** Sends one unrecorded test event immediately. */
  test(
    webhook: string,
    options?: CallOptions,
  ): Promise<{ readonly delivered: boolean; readonly outcome: string }> {
    return this.http.send('POST', path`/v1/webhooks/${webhook}/test`, { body: {} }, options);
  }

  /** Returns one page of deliveries, newest first. */
  deliveries(
    webhook: string,
    query: DeliveriesQuery = {},
    options?: CallOptions,
  ): Promise<Page<WebhookDelivery>> {
    return this.http.send('GET', path`/v1/webhooks/${webhook}/deliveries`, { query }, options);
  }

  /** Iterates over all deliveries, newest first; pages are requested as needed. */
  allDeliveries(
    webhook: string,
    query: Omit<DeliveriesQuery, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return itemsOf((cursor) =>
      this.deliveries(webhook, { ...query, ...(cursor !== undefined && { cursor }) }, options),
    );
  }

  /** Iterates over dead letters, newest first. */
  deadLetters(webhook: string, options?: CallOptions): AsyncGenerator<WebhookDelivery, void, undefined> {
    return itemsOf((cursor) =>
      this.deliveries(webhook, { state: 'dead', ...(cursor !== undefined && { cursor }) }, options),
    );
  }

  /** Skips a pending delivery: it becomes a dead letter, and later ones of its session are sent. */
  skip(webhook: string, delivery: string, reason: string, options?: CallOptions): Promise<WebhookDelivery> {
    const at = path`/v1/webhooks/${webhook}/deliveries/${delivery}/skip`;
    return this.http.send('POST', at, { body: { reason } }, options);
  }

  /** Replays a dead letter from its first attempt. */
  replay(webhook: string, delivery: string, options?: CallOptions): Promise<WebhookDelivery> {
    const at = path`/v1/webhooks/${webhook}/deliveries/${delivery}/replay`;
    return this.http.send('POST', at, { body: {} }, options);
  }
}
