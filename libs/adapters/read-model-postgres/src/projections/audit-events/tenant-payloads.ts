import type { ApiKeyFacts, TenantDecision, WebhookFacts } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { traceOf, type Visible, visibleIn, visibleMembers } from './parts.js';

type DecisionData<Type extends TenantDecision['type']> = Extract<
  TenantDecision,
  { readonly type: Type }
>['data'];

/** For each decision about a tenant, the facts that an auditor sees: no key, no hash of one, no value of a secret. */
const TENANT_PAYLOADS: {
  readonly [Type in TenantDecision['type']]: Visible<DecisionData<Type>>;
} = {
  TenantRegistered: ['tenantId', 'name'],
  ApiKeyIssued: ({ key, issuedBy, issuedAt }) => ({ ...keyOf(key), issuedBy, issuedAt }),
  ApiKeyRotated: ({ replacement, ...rotation }) => ({
    ...visibleMembers(rotation, 'keyId', 'validUntil', 'rotatedBy', 'rotatedAt'),
    replacement: keyOf(replacement),
  }),
  ApiKeyRevoked: ['keyId', 'reason', 'revokedBy', 'revokedAt'],
  LimitsChanged: ({ limits }) => limits,
  SummarizersConfigured: ['default', 'summarizers'],
  RetentionDefaultsSet: ['default', 'profiles', 'setBy', 'setAt'],
  ModelConfigured: ({ model }) => ({
    model: model.id,
    described: Object.keys(model).filter((name) => name !== 'id'),
  }),
  ModelRemoved: ['model'],
  PromptRegistered: ({ prompt: { name, version, hash, texts }, registeredBy, registeredAt }) => ({
    name,
    version,
    hash,
    registeredBy,
    registeredAt,
    texts: Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, traceOf(text)])),
  }),
  WebhookRegistered: ({ webhook, registeredAt }) => ({ ...webhookOf(webhook), registeredAt }),
  WebhookChanged: ({ webhook }) => webhookOf(webhook),
  WebhookRemoved: ['webhookId'],
  WebhookSecretRotated: ['webhookId', 'validUntil', 'rotatedAt'],
  WebhookDeliverySkipped: ['webhookId', 'position', 'reason'],
  LogKeyRotated: ['keys', 'rotatedAt'],
  SecretStored: ['name', 'storedAt'],
  SecretRemoved: ['name'],
  ErasureRequested: ({ erasureId, target, reason, requestedBy, requestedAt, needsApproval = false }) => ({
    ...{ erasureId, target, reason, requestedBy, requestedAt, needsApproval },
  }),
  ErasureApproved: ['erasureId', 'approvedBy', 'approvedAt'],
  ErasureWithdrawn: ['erasureId', 'reason', 'withdrawnBy', 'withdrawnAt'],
  ErasureDeferred: ({ erasureId, because, session = null, until = null, deferredAt }) => ({
    ...{ erasureId, because, session, until, deferredAt },
  }),
  ErasureCompleted: ({ erasureId, target, keys, tenantKey = null, counts, durationMs, completedAt }) => ({
    erasureId,
    target,
    tenantKey,
    durationMs,
    completedAt,
    keys: keys.length,
    counts,
  }),
  ErasurePolicyChanged: ['people', 'changedBy', 'changedAt'],
  TenantEventSkipped: ['projection', 'revision', 'position', 'reason'],
};

const keyOf = (key: ApiKeyFacts): JsonObject =>
  visibleMembers(key, 'keyId', 'role', 'permissions', 'prefix', 'label', 'expiresAt');

/** Without the path of its URL, which is a secret with some receivers. */
const webhookOf = (webhook: WebhookFacts): JsonObject => ({
  ...visibleMembers(webhook, 'webhookId', 'label', 'types', 'sessions', 'content'),
  origin: URL.canParse(webhook.url) ? new URL(webhook.url).origin : null,
  url: traceOf(webhook.url),
});

/** Returns the payload of a decision about the tenant in the audit. */
export const decisionPayload = ({ type, data }: TenantDecision): JsonObject => decided(type, data);

const decided = <Type extends TenantDecision['type']>(type: Type, data: DecisionData<Type>): JsonObject =>
  visibleIn<DecisionData<Type>>(data, TENANT_PAYLOADS[type]);
