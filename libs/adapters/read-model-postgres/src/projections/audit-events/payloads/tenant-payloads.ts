import type { ApiKeyFacts, TenantDecision, WebhookFacts } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { traceOf } from '../parts.js';

export type DecisionData<Type extends TenantDecision['type']> = Extract<
  TenantDecision,
  { readonly type: Type }
>['data'];

/** For each decision about a tenant, the facts that an auditor sees: no key, no hash of one, no value of a secret. */
export const TENANT_PAYLOADS: {
  readonly [Type in TenantDecision['type']]: (data: DecisionData<Type>) => JsonObject;
} = {
  TenantRegistered: ({ tenantId, name }) => ({ tenantId, name }),
  ApiKeyIssued: ({ key, issuedBy, issuedAt }) => ({ ...keyOf(key), issuedBy, issuedAt }),
  ApiKeyRotated: ({ keyId, validUntil, replacement, rotatedBy, rotatedAt }) => ({
    keyId,
    validUntil,
    replacement: keyOf(replacement),
    rotatedBy,
    rotatedAt,
  }),
  ApiKeyRevoked: ({ keyId, reason, revokedBy, revokedAt }) => ({ keyId, reason, revokedBy, revokedAt }),
  LimitsChanged: ({ limits }) => ({ ...limits }),
  SummarizersConfigured: ({ default: byDefault, summarizers }) => ({
    default: byDefault,
    summarizers: Object.fromEntries(
      Object.entries(summarizers).map(([name, links]) => [name, links.map((link) => ({ ...link }))]),
    ),
  }),
  RetentionDefaultsSet: ({ default: byDefault, profiles, setBy, setAt }) => ({
    default: byDefault && { ...byDefault },
    profiles: Object.fromEntries(Object.entries(profiles).map(([name, one]) => [name, one && { ...one }])),
    setBy,
    setAt,
  }),
  ModelConfigured: ({ model }) => ({
    model: model.id,
    described: Object.keys(model).filter((name) => name !== 'id'),
  }),
  ModelRemoved: ({ model }) => ({ model }),
  PromptRegistered: ({ prompt: { name, version, hash, texts }, registeredBy, registeredAt }) => ({
    ...{ name, version, hash, registeredBy, registeredAt },
    texts: Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, traceOf(text)])),
  }),
  WebhookRegistered: ({ webhook, registeredAt }) => ({ ...webhookOf(webhook), registeredAt }),
  WebhookChanged: ({ webhook }) => webhookOf(webhook),
  WebhookRemoved: ({ webhookId }) => ({ webhookId }),
  WebhookSecretRotated: ({ webhookId, validUntil, rotatedAt }) => ({ webhookId, validUntil, rotatedAt }),
  WebhookDeliverySkipped: ({ webhookId, position, reason }) => ({ webhookId, position, reason }),
  LogKeyRotated: ({ keys, rotatedAt }) => ({ keys, rotatedAt }),
  SecretStored: ({ name, storedAt }) => ({ name, storedAt }),
  SecretRemoved: ({ name }) => ({ name }),
  ErasureRequested: ({ erasureId, target, reason, requestedBy, requestedAt, needsApproval = false }) => ({
    ...{ erasureId, target, reason, requestedBy, requestedAt, needsApproval },
  }),
  ErasureApproved: ({ erasureId, approvedBy, approvedAt }) => ({ erasureId, approvedBy, approvedAt }),
  ErasureWithdrawn: ({ erasureId, reason, withdrawnBy, withdrawnAt }) => ({
    ...{ erasureId, reason, withdrawnBy, withdrawnAt },
  }),
  ErasureDeferred: ({ erasureId, because, until = null, deferredAt }) => ({
    ...{ erasureId, because, until, deferredAt },
  }),
  ErasureCompleted: ({ erasureId, target, keys, tenantKey = null, counts, durationMs, completedAt }) => ({
    ...{ erasureId, target, tenantKey, durationMs, completedAt },
    keys: keys.length,
    counts: { ...counts, places: { ...counts.places } },
  }),
  ErasurePolicyChanged: ({ people, changedBy, changedAt }) => ({ people, changedBy, changedAt }),
  TenantEventSkipped: ({ projection, revision, position, reason }) => ({
    projection,
    revision,
    position,
    reason,
  }),
};

const keyOf = ({ keyId, role, permissions, prefix, label, expiresAt }: ApiKeyFacts): JsonObject => ({
  keyId,
  role,
  permissions: [...permissions],
  prefix,
  label,
  expiresAt,
});

/** Without the path of its URL, which is a secret with some receivers. */
const webhookOf = ({ webhookId, url, label, types, sessions, content }: WebhookFacts): JsonObject => ({
  webhookId,
  origin: URL.canParse(url) ? new URL(url).origin : null,
  url: traceOf(url),
  label,
  types: [...types],
  sessions: [...sessions],
  content,
});
