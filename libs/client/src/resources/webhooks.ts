import type {
  ChangeWebhookRequest,
  ListDeliveriesQuery,
  ListWebhooksResponse,
  RegisterWebhookRequest,
  RegisterWebhookResponse,
  RemoveWebhookResponse,
  RotateWebhookSecretRequest,
  RotateWebhookSecretResponse,
  TestWebhookResponse,
  Webhook,
  WebhookDelivery,
} from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { itemsOf, type Page } from './pages.js';

/** Webhooks of the tenant and their deliveries. */
export class Webhooks {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<ListWebhooksResponse> {
    return this.http.send('GET', path`/v1/webhooks`, {}, options);
  }

  show(webhook: string, options?: CallOptions): Promise<Webhook> {
    return this.http.send('GET', path`/v1/webhooks/${webhook}`, {}, options);
  }

  /** Registers a webhook for new events; `secret` is shown once. */
  register(settings: RegisterWebhookRequest, options?: CallOptions): Promise<RegisterWebhookResponse> {
    return this.http.send('POST', path`/v1/webhooks`, { body: settings }, options);
  }

  /** Changes the given settings. */
  change(webhook: string, change: ChangeWebhookRequest, options?: CallOptions): Promise<Webhook> {
    return this.http.send('PATCH', path`/v1/webhooks/${webhook}`, { body: change }, options);
  }

  /** Removes a webhook with its pending deliveries and dead letters. */
  remove(webhook: string, options?: CallOptions): Promise<RemoveWebhookResponse> {
    return this.http.send('DELETE', path`/v1/webhooks/${webhook}`, {}, options);
  }

  /** Rotates the secret; until `validUntil`, deliveries are also signed with the old one. */
  rotateSecret(
    webhook: string,
    input: RotateWebhookSecretRequest = {},
    options?: CallOptions,
  ): Promise<RotateWebhookSecretResponse> {
    return this.http.send('POST', path`/v1/webhooks/${webhook}/rotate-secret`, { body: input }, options);
  }

  /** Sends one unrecorded test event immediately. */
  test(webhook: string, options?: CallOptions): Promise<TestWebhookResponse> {
    return this.http.send('POST', path`/v1/webhooks/${webhook}/test`, { body: {} }, options);
  }

  /** Returns one page of deliveries, newest first. */
  deliveries(
    webhook: string,
    query: ListDeliveriesQuery = {},
    options?: CallOptions,
  ): Promise<Page<WebhookDelivery>> {
    return this.http.send('GET', path`/v1/webhooks/${webhook}/deliveries`, { query }, options);
  }

  /** Iterates over all deliveries, newest first; pages are requested as needed. */
  allDeliveries(
    webhook: string,
    query: Omit<ListDeliveriesQuery, 'cursor'> = {},
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
