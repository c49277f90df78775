import { KEY_PERMISSIONS, KEY_ROLES, MODEL_PROVIDERS, PROMPT_PARTS, type TenantEvent } from '@app/domain';
import type { StoredEvent } from '@app/ports';
import { z } from 'zod';
import { schemasOf } from './fitting.js';
import { retentionDefault } from './protection-schemas.js';
import { type ParseEvent, parserOf, parseSessionEvent } from './schema.js';
import { id, rates, text, time, tokens } from './values.js';

const evidence = z.object({
  source: text,
  asOf: text,
  confidence: z.enum(['high', 'medium', 'low']),
  note: text.optional(),
});
const priceList = z.object({
  from: text.optional(),
  rates,
  longPrompt: z.object({ above: tokens, rates }).optional(),
  batchPercent: z.int().optional(),
  evidence,
});

/** A tenant's overrides of a model; absent fields are not overridden. */
const modelOverride = z.object({
  id,
  vendor: id.optional(),
  aliases: z.array(id).optional(),
  window: tokens.optional(),
  inputMax: tokens.optional(),
  outputMax: tokens.optional(),
  tokenizer: id.optional(),
  lifecycle: z.enum(['active', 'deprecated', 'retired']).optional(),
  prices: z.array(priceList).optional(),
  evidence: evidence.optional(),
});

const keyId = z.string().regex(/^[A-Za-z0-9]{12}$/);
const key = z.object({
  keyId,
  role: z.enum(KEY_ROLES),
  permissions: z.array(z.enum(KEY_PERMISSIONS)),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  prefix: id,
  label: text,
  expiresAt: time.nullable(),
});
const atLeastOne = z.int().min(1);
const webhook = z.object({
  webhookId: id,
  url: text,
  label: text,
  types: z.array(id),
  sessions: z.array(id),
  content: z.enum(['none', 'full']),
});

const link = z.union([
  z.object({ provider: z.literal('extractive') }),
  z.object({ provider: z.enum(MODEL_PROVIDERS), model: id.optional(), secret: id, prompt: id.optional() }),
]);

const erasureTarget = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('subject'), subject: id }),
  z.object({ scope: z.literal('session'), session: id }),
  z.object({ scope: z.literal('tenant') }),
]);

/** The shape of every event of a tenant that may be stored. Members that are not named here pass unread. */
const SCHEMAS = schemasOf<TenantEvent>()({
  TenantRegistered: z.object({ tenantId: id, name: text }),
  ApiKeyIssued: z.object({ key, issuedBy: id, issuedAt: time }),
  ApiKeyRotated: z.object({ keyId, validUntil: time, replacement: key, rotatedBy: id, rotatedAt: time }),
  ApiKeyRevoked: z.object({ keyId, reason: text, revokedBy: id, revokedAt: time }),
  LimitsChanged: z.object({
    limits: z.object({
      requestsPerSecond: atLeastOne,
      requestsPerMinute: atLeastOne,
      tokensPerMinute: tokens,
      concurrentCompactions: atLeastOne.optional(),
    }),
  }),
  RetentionDefaultsSet: z.object({
    default: retentionDefault.nullable(),
    profiles: z.record(id, retentionDefault.nullable()),
    setBy: id,
    setAt: time,
  }),
  SummarizersConfigured: z.object({ default: id.nullable(), summarizers: z.record(id, z.array(link)) }),
  ModelConfigured: z.object({ model: modelOverride }),
  ModelRemoved: z.object({ model: id }),
  PromptRegistered: z.object({
    prompt: z.object({
      name: id,
      version: atLeastOne,
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      texts: z.partialRecord(z.enum(PROMPT_PARTS), text),
    }),
    registeredBy: id,
    registeredAt: time,
  }),
  WebhookRegistered: z.object({ webhook, registeredAt: time }),
  WebhookChanged: z.object({ webhook }),
  WebhookRemoved: z.object({ webhookId: id }),
  WebhookSecretRotated: z.object({ webhookId: id, validUntil: time, rotatedAt: time }),
  WebhookDeliverySkipped: z.object({ webhookId: id, position: z.string().regex(/^\d{1,19}$/), reason: text }),
  LogKeyRotated: z.object({ keys: z.array(text), rotatedAt: time }),
  SecretStored: z.object({ name: id, storedAt: time }),
  SecretRemoved: z.object({ name: id }),
  TenantEventSkipped: z.object({
    projection: id,
    revision: z.int().min(0),
    position: z.string().regex(/^\d{1,19}$/),
    reason: text,
  }),
  ErasureRequested: z.object({
    erasureId: id,
    target: erasureTarget,
    reason: text,
    requestedBy: id,
    requestedAt: time,
    needsApproval: z.literal(true).optional(),
  }),
  ErasureApproved: z.object({ erasureId: id, approvedBy: id, approvedAt: time }),
  ErasureWithdrawn: z.object({ erasureId: id, reason: text, withdrawnBy: id, withdrawnAt: time }),
  ErasureDeferred: z.object({
    erasureId: id,
    because: text,
    session: id.optional(),
    ...{ until: time.optional(), deferredAt: time },
  }),
  ErasureCompleted: z.object({
    erasureId: id,
    target: erasureTarget,
    keys: z.array(id),
    tenantKey: id.optional(),
    counts: z.object({
      keys: z.int().min(0),
      sessions: z.int().min(0),
      places: z.record(id, z.int().min(0)),
    }),
    durationMs: z.int().min(0),
    completedAt: time,
  }),
  ErasurePolicyChanged: z.object({
    people: z.union([z.literal(1), z.literal(2)]),
    changedBy: id,
    changedAt: time,
  }),
  AuditRead: z.object({ endpoint: id, filters: z.record(text, text), rows: z.int().min(0) }),
  ContentRead: z.object({
    endpoint: id,
    session: id.nullable(),
    revisions: z.object({ from: z.int().min(0), to: z.int().min(0) }).nullable(),
    filters: z.record(text, text),
    reason: text.nullable(),
  }),
});

export const parseTenantEvent = parserOf<TenantEvent>(SCHEMAS);

/** Parses an event of a session or a tenant; no type belongs to both. */
export const parseStoredEvent: ParseEvent<StoredEvent> = (type, data) =>
  parseSessionEvent(type, data) ?? parseTenantEvent(type, data);
