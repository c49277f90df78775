import type { Actor, DomainCommand, IsoTime, KeyId, SecretName, TenantId, WebhookId } from '@app/kernel';
import type { ModelOverride } from '../models/record.js';
import type { ApiKeyFacts, TenantEvent, TenantEventOf, WebhookFacts, WebhookSettings } from './events.js';
import type { TenantLimits } from './limits.js';
import type { PromptTexts } from './prompts.js';
import type { TenantRetention } from './retention.js';
import type { RegisteredTenant } from './state.js';
import type { TenantSummarizers } from './summarizers.js';

/** The data of each command, without the ID of its tenant. */
type CommandData = {
  /** Registers a tenant with its first key, without which it could not create keys. */
  RegisterTenant: { name: string; key?: ApiKeyFacts; by: Actor; now: IsoTime };
  IssueApiKey: { key: ApiKeyFacts; by: Actor; now: IsoTime };
  /** The replacement has the role, the permissions and the label of the key that it replaces. */
  RotateApiKey: {
    keyId: KeyId;
    replacement: Omit<ApiKeyFacts, 'role' | 'permissions' | 'label'>;
    /** Latest end of the old key's validity. */
    validUntil: IsoTime;
    by: Actor;
    now: IsoTime;
  };
  RevokeApiKey: { keyId: KeyId; reason: string; by: Actor; now: IsoTime };
  ChangeLimits: { limits: Partial<TenantLimits> };
  /** Replaces all summarizers at once. */
  ConfigureSummarizers: { summarizers: TenantSummarizers };
  /** Replaces all defaults at once; sessions that are open already are not concerned. */
  SetRetentionDefaults: { retention: TenantRetention; by: Actor; now: IsoTime };
  /** Replaces the tenant's overrides of a model; absent fields are those of the installation. */
  DescribeModel: { model: ModelOverride };
  ForgetModel: { model: string };
  /** `hash` is the SHA-256 of the texts as canonical JSON, hexadecimal. */
  RegisterPrompt: { name: string; texts: PromptTexts; hash: string; by: Actor; now: IsoTime };
  RegisterWebhook: { webhook: WebhookFacts; now: IsoTime };
  /** Absent fields stay. */
  ChangeWebhook: { webhookId: WebhookId; settings: Partial<WebhookSettings> };
  RemoveWebhook: { webhookId: WebhookId };
  RotateWebhookSecret: { webhookId: WebhookId; validUntil: IsoTime; now: IsoTime };
  SkipDelivery: TenantEventOf<'WebhookDeliverySkipped'>['data'];
  /** The value is stored outside the log and is not part of the command. */
  StoreSecret: { name: SecretName; now: IsoTime };
  RemoveSecret: { name: SecretName };
  /** The key is replaced already: it is outside the log of events. */
  RecordLogKey: { keys: readonly string[]; now: IsoTime };
};

/** A command of one of the types. */
export type TenantCommandOf<Type extends keyof CommandData> = Type extends unknown
  ? DomainCommand<Type, { tenantId: TenantId } & CommandData[Type]>
  : never;
export type TenantCommand = TenantCommandOf<keyof CommandData>;

/** The decision on one type of command: returns the events that it causes; none if it was executed before. */
export type DecideForTenant<Type extends keyof CommandData> = (
  command: TenantCommandOf<Type>,
  tenant: RegisteredTenant,
) => readonly TenantEvent[];
