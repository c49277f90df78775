import type { SessionEventType } from '@app/domain';
import type { IsoTime, LogPosition, Revision, SessionId, TenantId, WebhookId } from '@app/kernel';
import type { Page, PageRequest } from '../read-models.port.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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
  /** Of the newest try: the status that was answered, or what kept it from being made; `null` before the first. */
  readonly lastOutcome: string | null;
  readonly lastTriedAt: IsoTime | null;
};

/** The first delivery of a session that waits for a webhook, with where it goes. */
export type DueDelivery = WebhookDelivery & { readonly url: string; readonly content: 'none' | 'full' };

/** What a try has made of a delivery. */
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
   * Follows the log, and writes down for each event what has to be sent where, until `signal` aborts; `written` is called
   * after each part. A crash loses nothing and repeats nothing: the place in the log is kept with what was written.
   */
  follow(signal: AbortSignal, written: () => void): Promise<void>;
  /**
   * Of each session and webhook the first delivery that waits, due or not, those that are due longest first; a few of
   * each webhook, so that one that does not answer leaves room for the others.
   */
  heads(): Promise<readonly DueDelivery[]>;
  /** Records a try. Where the delivery was changed meanwhile, such as removed with its webhook, nothing happens. */
  settle(delivery: WebhookDelivery, result: DeliveryResult): Promise<void>;
}

/** Of all tenants; each is counted up to 10,000. */
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
   * One that waits is given up: what waits behind it goes on without it, and it is a dead letter.
   *
   * @param decided does what belongs to it, such as to record it, when it is sure that it waits, and before it is given up.
   * @throws {AppError} `delivery-not-found`, `delivery-not-pending`.
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

/** What deliveries are signed with: in the database alone, and nowhere in the log. */
export interface WebhookSecrets {
  add(tenant: TenantId, webhook: WebhookId, secret: string): Promise<void>;
  /** Of a webhook that has come to nothing. */
  remove(tenant: TenantId, webhook: WebhookId): Promise<void>;
  /** From `at` on the newest alone counts; those that end before do so all the same. */
  retireOlder(tenant: TenantId, webhook: WebhookId, at: IsoTime): Promise<void>;
  /** Those that count at `now`, newest first. */
  of(tenant: TenantId, webhook: WebhookId, now: IsoTime): Promise<readonly string[]>;
}
