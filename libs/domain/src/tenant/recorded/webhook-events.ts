import type { Event, IsoTime, SessionId, WebhookId } from '@app/kernel';
import type { SessionEventType } from '../../session/index.js';

/**
 * Target and filter of a webhook. The signing secret is not included, because the log is permanent and has many
 * readers.
 */
export type WebhookSettings = {
  readonly url: string;
  /** Purpose of the webhook, as given by the caller. */
  readonly label: string;
  /** Filter by type; empty for all. */
  readonly types: readonly SessionEventType[];
  /** Filter by session; empty for all. */
  readonly sessions: readonly SessionId[];
  /** `full`: with text of people and models. */
  readonly content: 'none' | 'full';
};
export type WebhookFacts = WebhookSettings & { readonly webhookId: WebhookId };

/** Events of the tenant's sessions are sent to it from now on. */
export type WebhookRegistered = Event<'WebhookRegistered', { webhook: WebhookFacts; registeredAt: IsoTime }>;

/** All its settings as they are from now on. */
export type WebhookChanged = Event<'WebhookChanged', { webhook: WebhookFacts }>;

/** Nothing more is sent to it; pending deliveries and dead letters are deleted. */
export type WebhookRemoved = Event<'WebhookRemoved', { webhookId: WebhookId }>;

/**
 * An operator skipped the delivery of an event to a webhook: later events are sent. `position` is the event's
 * position in the log, as a string, because it exceeds JSON numbers.
 */
export type WebhookDeliverySkipped = Event<
  'WebhookDeliverySkipped',
  { webhookId: WebhookId; position: string; reason: string }
>;

/** Deliveries are signed with a new secret; until `validUntil` with the one before as well. */
export type WebhookSecretRotated = Event<
  'WebhookSecretRotated',
  { webhookId: WebhookId; validUntil: IsoTime; rotatedAt: IsoTime }
>;
