import type { Event, IsoTime, SessionId, WebhookId } from '@app/kernel';
import type { SessionEventType } from '../../session/index.js';

/** Where events go, and which. The secret that signs them is no part of it: the log is for ever, and read by many. */
export type WebhookSettings = {
  readonly url: string;
  /** What it is for, in words of whoever asked for it. */
  readonly label: string;
  /** Events of these types alone; of all where it is empty. */
  readonly types: readonly SessionEventType[];
  /** Events of these sessions alone; of all where it is empty. */
  readonly sessions: readonly SessionId[];
  /** `full`: with what people and models wrote. */
  readonly content: 'none' | 'full';
};
export type WebhookFacts = WebhookSettings & { readonly webhookId: WebhookId };

/** Whatever is recorded of the tenant's sessions from now on is sent to it. */
export type WebhookRegistered = Event<'WebhookRegistered', { webhook: WebhookFacts; registeredAt: IsoTime }>;

/** All its settings as they are from now on. */
export type WebhookChanged = Event<'WebhookChanged', { webhook: WebhookFacts }>;

/** Nothing more is sent to it; what waits for it, and its dead letters, are forgotten. */
export type WebhookRemoved = Event<'WebhookRemoved', { webhookId: WebhookId }>;

/**
 * An operator has given up the delivery of an event to a webhook: what waited behind it is sent. `position` is the event's
 * in the log; a number larger than JSON's, so a string.
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
