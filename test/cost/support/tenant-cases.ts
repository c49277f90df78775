import * as app from '@app/application';
import {
  type ApiKeyFacts,
  DEFAULT_TENANT_LIMITS,
  NO_MODELS,
  permissionsOf,
  type TenantEvent,
  type WebhookFacts,
} from '@app/domain';
import {
  Actor,
  IsoTime,
  KeyId,
  type LogPosition,
  Revision,
  SecretName,
  SessionId,
  TenantId,
  tenantStream,
  WebhookId,
} from '@app/kernel';
import type {
  Clock,
  KeyUses,
  SecretStore,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookSecrets,
  WebhookSender,
} from '@app/ports';
import { caller } from '@app/testing';
import { GivenLog, recordsOf } from './given-log.js';
import { many } from './session-shapes.js';

const CEILINGS = { ...DEFAULT_TENANT_LIMITS, concurrentCompactions: 100 };

/** Tenants that are large in one dimension; keys and changes of limited resources are unlimited. */
export const TENANT_SHAPES: readonly {
  readonly name: string;
  readonly size: number;
  readonly events: (size: number) => readonly TenantEvent[];
}[] = [
  { name: 'keys', size: 1_000, events: (size) => [registered, ...many(size, issued)] },
  {
    name: 'keys that were revoked',
    size: 1_000,
    events: (size) => [registered, ...many(size, issued), ...many(size, revoked)],
  },
  {
    name: 'rotations of a key',
    size: 1_000,
    events: (size) => [registered, issued(0), ...many(size, rotated)],
  },
  {
    name: 'changes of a webhook',
    size: 1_000,
    events: (size) => [registered, webhook, ...many(size, changed)],
  },
  {
    name: 'models described and forgotten',
    size: 1_000,
    events: (size) => [registered, ...many(size, described).flat()],
  },
  {
    name: 'secrets stored and removed',
    size: 1_000,
    events: (size) => [registered, ...many(size, stored).flat()],
  },
];

const tenantId = TenantId('acme');
const at = IsoTime('2026-01-01T00:00:00Z');
const by = Actor('tester');
const keyId = (place: number): KeyId => KeyId(`K${String(place).padStart(11, '0')}`);
const keyFacts = (place: number): ApiKeyFacts => ({
  ...{ keyId: keyId(place), role: 'agent', permissions: permissionsOf('agent') },
  ...{ hash: 'a'.repeat(64), prefix: `pal_${keyId(place)}`, label: 'fleet', expiresAt: null },
});
const webhookId = WebhookId(`wh_${'a'.repeat(12)}`);
const settings = {
  url: 'https://example.com/',
  label: 'x',
  types: [],
  sessions: [],
  content: 'none',
} as const;
const facts: WebhookFacts = { webhookId, ...settings };

const registered: TenantEvent = { type: 'TenantRegistered', data: { tenantId, name: 'Acme' } };
const issued = (place: number): TenantEvent => ({
  type: 'ApiKeyIssued',
  data: { key: keyFacts(place), issuedBy: by, issuedAt: at },
});
const revoked = (place: number): TenantEvent => ({
  type: 'ApiKeyRevoked',
  data: { keyId: keyId(place), reason: '', revokedBy: by, revokedAt: at },
});
const rotated = (place: number): TenantEvent => ({
  type: 'ApiKeyRotated',
  data: {
    keyId: keyId(place),
    validUntil: at,
    replacement: keyFacts(place + 1),
    rotatedBy: by,
    rotatedAt: at,
  },
});
const webhook: TenantEvent = { type: 'WebhookRegistered', data: { webhook: facts, registeredAt: at } };
const changed = (place: number): TenantEvent => ({
  type: 'WebhookChanged',
  data: { webhook: { ...facts, label: `${place}` } },
});
const described = (place: number): readonly TenantEvent[] => [
  { type: 'ModelConfigured', data: { model: { id: `m${place}` } } },
  { type: 'ModelRemoved', data: { model: `m${place}` } },
];
const stored = (place: number): readonly TenantEvent[] => [
  { type: 'SecretStored', data: { name: SecretName(`s${place}`), storedAt: at } },
  { type: 'SecretRemoved', data: { name: SecretName(`s${place}`) } },
];

const clock: Clock = { now: () => at };
/** Stubs dependencies outside the process, such as rows and receivers, whose time is not measured. */
const elsewhere = <Port extends object>(answers: Partial<Port> = {}): Port =>
  // Other calls resolve to undefined, which no type can express.
  new Proxy({ ...answers } as Port, {
    get: (known, name) => Reflect.get(known, name) ?? (async () => undefined),
  });
const secrets = elsewhere<WebhookSecrets>({ of: async () => ['secret'] });
const sender = elsewhere<WebhookSender>({ send: async () => ({ kind: 'delivered', status: 200 }) });
const secretStore = elsewhere<SecretStore>();
const uses: KeyUses = { note: async () => {}, of: async () => new Map() };
const position = 1n as LogPosition;
const delivery: WebhookDelivery = {
  ...{ tenant: tenantId, webhook: webhookId, position, session: SessionId('s'), revision: Revision(1) },
  ...{
    type: 'MessageAppended',
    state: 'pending',
    attempts: 0,
    nextAt: at,
    lastOutcome: null,
    lastTriedAt: null,
  },
};
const deliveries = elsewhere<WebhookDeliveries>({
  replay: async () => delivery,
  skip: async () => delivery,
});

export type TenantCase = {
  readonly of: unknown;
  readonly run: (tenants: app.TenantStore, log: GivenLog<TenantEvent>) => Promise<unknown>;
};

/** Measured on every tenant shape, in a process without the tenant in its cache. */
export const TENANT_CASES: readonly TenantCase[] = [
  {
    of: app.IssueApiKey,
    run: (tenants) =>
      new app.IssueApiKeyHandler({ tenants, clock }).execute(
        new app.IssueApiKey(tenantId, { role: 'agent', label: 'x', expiresAt: null }, caller),
      ),
  },
  {
    of: app.RotateApiKey,
    run: (tenants) =>
      new app.RotateApiKeyHandler({ tenants, clock }).execute(
        new app.RotateApiKey(tenantId, { keyId: keyId(0), overlapSeconds: 1, expiresAt: null }, caller),
      ),
  },
  {
    of: app.RevokeApiKey,
    run: (tenants) =>
      new app.RevokeApiKeyHandler({ tenants, clock }).execute(
        new app.RevokeApiKey(tenantId, { keyId: keyId(0), reason: 'x' }, caller),
      ),
  },
  {
    of: app.RegisterTenant,
    run: (tenants) =>
      new app.RegisterTenantHandler({ tenants, clock }).execute(
        new app.RegisterTenant(tenantId, 'Acme', TenantId('default'), caller),
      ),
  },
  {
    of: app.ChangeLimits,
    run: (tenants) =>
      new app.ChangeLimitsHandler({ tenants, ceilings: CEILINGS }).execute(
        new app.ChangeLimits(tenantId, { concurrentCompactions: 3 }, caller),
      ),
  },
  {
    of: app.ConfigureSummarizers,
    run: (tenants) =>
      new app.ConfigureSummarizersHandler({ tenants }).execute(
        new app.ConfigureSummarizers(tenantId, { default: null, summarizers: {} }, caller),
      ),
  },
  {
    of: app.RegisterPrompt,
    run: (tenants) =>
      new app.RegisterPromptHandler({ tenants, clock }).execute(
        new app.RegisterPrompt(tenantId, { name: 'own', texts: { sections: 'x' } }, caller),
      ),
  },
  {
    of: app.DescribeModel,
    run: (tenants) =>
      new app.DescribeModelHandler({ tenants, installed: NO_MODELS }).execute(
        new app.DescribeModel(tenantId, { id: 'm' }, caller),
      ),
  },
  {
    of: app.ForgetModel,
    run: (tenants) =>
      new app.ForgetModelHandler({ tenants }).execute(new app.ForgetModel(tenantId, 'm', caller)),
  },
  {
    of: app.PutSecret,
    run: (tenants) =>
      new app.PutSecretHandler({ tenants, secrets: secretStore, clock }).execute(
        new app.PutSecret(tenantId, { name: SecretName('new'), value: 'x' }, caller),
      ),
  },
  {
    of: app.RemoveSecret,
    run: (tenants) =>
      new app.RemoveSecretHandler({ tenants, secrets: secretStore }).execute(
        new app.RemoveSecret(tenantId, SecretName('new'), caller),
      ),
  },
  {
    of: app.RegisterWebhook,
    run: (tenants) =>
      new app.RegisterWebhookHandler({ tenants, webhookSecrets: secrets, sender, clock }).execute(
        new app.RegisterWebhook(tenantId, settings, caller),
      ),
  },
  {
    of: app.ChangeWebhook,
    run: (tenants) =>
      new app.ChangeWebhookHandler({ tenants, sender }).execute(
        new app.ChangeWebhook(tenantId, { webhook: webhookId, settings: { label: 'new' } }, caller),
      ),
  },
  {
    of: app.RemoveWebhook,
    run: (tenants) =>
      new app.RemoveWebhookHandler({ tenants }).execute(new app.RemoveWebhook(tenantId, webhookId, caller)),
  },
  {
    of: app.RotateWebhookSecret,
    run: (tenants) =>
      new app.RotateWebhookSecretHandler({ tenants, webhookSecrets: secrets, clock }).execute(
        new app.RotateWebhookSecret(tenantId, { webhook: webhookId, overlapSeconds: 1 }, caller),
      ),
  },
  {
    of: app.TestWebhook,
    run: (tenants) =>
      new app.TestWebhookHandler({ tenants, webhookSecrets: secrets, sender, clock }).execute(
        new app.TestWebhook(tenantId, webhookId, caller),
      ),
  },
  {
    of: app.ReplayDelivery,
    run: (tenants) =>
      new app.ReplayDeliveryHandler({ tenants, deliveries, clock }).execute(
        new app.ReplayDelivery(tenantId, { webhook: webhookId, position }, caller),
      ),
  },
  {
    of: app.SkipDelivery,
    run: (tenants) =>
      new app.SkipDeliveryHandler({ tenants, deliveries }).execute(
        new app.SkipDelivery(tenantId, { webhook: webhookId, position, reason: 'x' }, caller),
      ),
  },
  {
    of: app.ListApiKeys,
    run: (tenants) =>
      new app.ListApiKeysHandler({ tenants, uses, clock }).execute(new app.ListApiKeys(tenantId)),
  },
  {
    of: app.ListWebhooks,
    run: (tenants) =>
      new app.ListWebhooksHandler({ tenants }).execute(new app.ListWebhooks(tenantId, undefined)),
  },
  {
    of: app.ListDeliveries,
    run: (tenants) =>
      new app.ListDeliveriesHandler({ tenants, deliveries }).execute(
        new app.ListDeliveries(tenantId, { webhook: webhookId, page: { limit: 100 } }),
      ),
  },
  {
    of: app.ListOwnPrompts,
    run: (tenants) => new app.ListOwnPromptsHandler({ tenants }).execute(new app.ListOwnPrompts(tenantId)),
  },
  {
    of: app.ShowOwnPrompt,
    run: (tenants) =>
      new app.ShowOwnPromptHandler({ tenants }).execute(new app.ShowOwnPrompt(tenantId, 'own')),
  },
  {
    of: app.ShowTenant,
    run: (tenants, log) =>
      new app.ShowTenantHandler({ tenants, tenantLog: log }).execute(new app.ShowTenant(tenantId)),
  },
  {
    of: app.GetLimits,
    run: (tenants) =>
      new app.GetLimitsHandler({ tenants, ceilings: CEILINGS }).execute(new app.GetLimits(tenantId)),
  },
  {
    of: app.GetSummarizers,
    run: (tenants) => new app.GetSummarizersHandler({ tenants }).execute(new app.GetSummarizers(tenantId)),
  },
];

/** Tenants of one shape, in a process without them in its cache. */
export const tenantsOf = ({ events }: Pick<(typeof TENANT_SHAPES)[number], 'events'>) => {
  const stream = tenantStream(tenantId);
  const known = new Map<number, ReadonlyMap<typeof stream, ReturnType<typeof recordsOf<TenantEvent>>>>();
  return (size: number) => {
    const given = known.get(size) ?? new Map([[stream, recordsOf(stream, events(size))]]);
    known.set(size, given);
    const log = new GivenLog<TenantEvent>(given);
    return { tenants: new app.TenantStore(log), log };
  };
};
