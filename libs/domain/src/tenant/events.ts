import type { Event } from '@app/kernel';
import type { DecisionEvents, LedgerEvents, ReadEvents } from './recorded/tenant-events.js';

export type { ApiKeyFacts, ErasureTarget, WebhookFacts, WebhookSettings } from './recorded/tenant-events.js';

/**
 * All events of a tenant, in their permanent stored form. To change one, add an optional field, or a new type and an
 * upcaster; never rename or retype after the first release. No type has the name of a session event.
 */
type TenantEventData = DecisionEvents & LedgerEvents & ReadEvents;
export type TenantEventType = keyof TenantEventData;
/** An event of one of the types. */
export type TenantEventOf<Type extends TenantEventType> = Type extends unknown
  ? Event<Type, TenantEventData[Type]>
  : never;
export type TenantEvent = TenantEventOf<TenantEventType>;
/** Reads of recorded data: no decision depends on them, and they have their own stream. */
export type ReadEvent = TenantEventOf<keyof ReadEvents>;
/** Events of the erasure ledger, which has its own stream as well. */
export type LedgerEvent = TenantEventOf<keyof LedgerEvents>;
/** Events that are decisions about a tenant. */
export type TenantDecision = Exclude<TenantEvent, ReadEvent>;

/** Every type of event, once; a new one that is missing here does not compile. */
const TYPES: Readonly<Record<TenantEventType, true>> = {
  TenantRegistered: true,
  ApiKeyIssued: true,
  ApiKeyRotated: true,
  ApiKeyRevoked: true,
  LimitsChanged: true,
  LogKeyRotated: true,
  SummarizersConfigured: true,
  RetentionDefaultsSet: true,
  ModelConfigured: true,
  ModelRemoved: true,
  PromptRegistered: true,
  WebhookRegistered: true,
  WebhookChanged: true,
  WebhookRemoved: true,
  WebhookSecretRotated: true,
  WebhookDeliverySkipped: true,
  SecretStored: true,
  SecretRemoved: true,
  TenantEventSkipped: true,
  ErasureRequested: true,
  ErasureApproved: true,
  ErasureWithdrawn: true,
  ErasureDeferred: true,
  ErasureCompleted: true,
  ErasurePolicyChanged: true,
  AuditRead: true,
  ContentRead: true,
};
export const isTenantEventType = (type: string): type is TenantEventType => Object.hasOwn(TYPES, type);

export const isReadEvent = (event: TenantEvent): event is ReadEvent =>
  event.type === 'AuditRead' || event.type === 'ContentRead';
const LEDGER: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'ErasureRequested',
  'ErasureApproved',
  'ErasureWithdrawn',
  'ErasureDeferred',
  'ErasureCompleted',
  'ErasurePolicyChanged',
]);
export const isLedgerEvent = (event: TenantEvent): event is LedgerEvent => LEDGER.has(event.type);
const isDecision = (type: TenantEventType): type is TenantDecision['type'] =>
  type !== 'AuditRead' && type !== 'ContentRead';

/** Returns the types of tenant decisions, sorted by name. */
export const tenantDecisionTypes = (): readonly TenantDecision['type'][] =>
  Object.keys(TYPES).filter(isTenantEventType).filter(isDecision).sort();
