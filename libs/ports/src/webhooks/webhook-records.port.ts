import type { DeliveryState } from '@app/contract';
import type { SessionEventType } from '@app/domain';
import type { IsoTime, LogPosition, Revision, SessionId, TenantId, WebhookId } from '@app/kernel';
import type { Page, PageRequest } from '../read-models.port.js';

/** An event on its way to a webhook, without its content: that is read from the log when it is sent. */
export type WebhookDelivery = {
  readonly tenant: TenantId;
  readonly webhook: WebhookId;
  readonly position: LogPosition;
  readonly session: SessionId;
  readonly revision: Revision;
  readonly type: SessionEventType;
  readonly state: DeliveryState;
  /** Tries so far. */
  readonly attempts: number;
  /** When it is tried next; of no meaning once it is delivered or dead. */
  readonly nextAt: IsoTime;
  /** Response status or failure of the newest try; `null` before the first. */
  readonly lastOutcome: string | null;
  readonly lastTriedAt: IsoTime | null;
};

/** The first delivery of a session that waits for a webhook, with where it goes. */
export type DueDelivery = WebhookDelivery & { readonly url: string; readonly content: 'none' | 'full' };

/** A delivery with the result of its newest attempt. */
export type TriedDelivery = { readonly delivery: WebhookDelivery; readonly result: DeliveryResult };

/** The result of a delivery attempt. */
export type DeliveryResult = {
  readonly state: DeliveryState;
  readonly outcome: string;
  readonly triedAt: IsoTime;
  /** When it is tried next. */
  readonly nextAt: IsoTime;
};

/** Deliveries in the hands of the one process that sends them. */
export interface HeldDeliveries {
  /**
   * Follows the log and stores the deliveries of each event until `signal` aborts; calls `written` after each batch.
   * The checkpoint is stored with the deliveries, so that a crash loses and repeats nothing.
   */
  follow(signal: AbortSignal, written: () => void): Promise<void>;
  /**
   * Returns the first pending delivery of each session and webhook, due or not, longest due first; limited per
   * webhook, so that an unresponsive receiver does not delay others.
   */
  heads(): Promise<readonly DueDelivery[]>;
  /** Records tries together. A delivery that was changed meanwhile, such as removed with its webhook, stays as it is. */
  settle(tried: readonly TriedDelivery[]): Promise<void>;
}

/** Deliveries of all tenants; each state is counted up to 10,000. */
type DeliveryCounts = { readonly pending: number; readonly dead: number };

/** @throws {AppError} `postgres-unavailable`. */
export interface WebhookDeliveries {
  /** Does `work` as the one process that sends, as soon as no other does; rejects as `work` does. */
  hold(signal: AbortSignal, work: (held: HeldDeliveries) => Promise<void>): Promise<void>;
  /** Newest first. */
  page(
    filter: { readonly tenant: TenantId; readonly webhook: WebhookId; readonly state?: DeliveryState },
    page: PageRequest,
  ): Promise<Page<WebhookDelivery>>;
  counts(): Promise<DeliveryCounts>;
  /**
   * Skips a pending delivery: it becomes a dead letter, and later deliveries proceed.
   *
   * @param decided is called once the delivery is known to be pending and before it is skipped, for example to record
   *   the decision. @throws {AppError} `delivery-not-found`, `delivery-not-pending`.
   */
  skip(
    tenant: TenantId,
    webhook: WebhookId,
    position: LogPosition,
    decided: () => Promise<void>,
  ): Promise<WebhookDelivery>;
  /**
   * Has a dead delivery sent again, from its first try on.
   *
   * @throws {AppError} `delivery-not-found`, `delivery-not-dead`.
   */
  replay(tenant: TenantId, webhook: WebhookId, position: LogPosition, at: IsoTime): Promise<WebhookDelivery>;
}

/** Signing secrets of webhooks, stored in the database only, never in the log. */
export interface WebhookSecrets {
  add(tenant: TenantId, webhook: WebhookId, secret: string): Promise<void>;
  /** Deletes the secrets of a webhook whose registration was rejected. */
  remove(tenant: TenantId, webhook: WebhookId): Promise<void>;
  /** Expires all but the newest secret at `at`; earlier expiries stay. */
  retireOlder(tenant: TenantId, webhook: WebhookId, at: IsoTime): Promise<void>;
  /** Returns the secrets valid at `now`, newest first. */
  of(tenant: TenantId, webhook: WebhookId, now: IsoTime): Promise<readonly string[]>;
}

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
