import type { Actor, DomainCommand, IsoTime, KeyId, SecretName, TenantId, WebhookId } from '@app/kernel';
import type { ModelOverride } from '../models/record.js';
import type { ApiKeyFacts, WebhookDeliverySkipped, WebhookFacts, WebhookSettings } from './events.js';
import type { TenantLimits } from './limits.js';
import type { PromptTexts } from './prompts.js';
import type { TenantRetention } from './retention.js';
import type { TenantSummarizers } from './summarizers.js';

/** Registers a tenant with its first key, without which it could not create keys. */
export type RegisterTenantCommand = DomainCommand<
  'RegisterTenant',
  { tenantId: TenantId; name: string; key?: ApiKeyFacts; by: Actor; now: IsoTime }
>;
export type IssueApiKeyCommand = DomainCommand<
  'IssueApiKey',
  { tenantId: TenantId; key: ApiKeyFacts; by: Actor; now: IsoTime }
>;
/** The replacement has the role, the permissions and the label of the key that it replaces. */
export type RotateApiKeyCommand = DomainCommand<
  'RotateApiKey',
  {
    tenantId: TenantId;
    keyId: KeyId;
    replacement: Omit<ApiKeyFacts, 'role' | 'permissions' | 'label'>;
    /** Latest end of the old key's validity. */
    validUntil: IsoTime;
    by: Actor;
    now: IsoTime;
  }
>;
export type RevokeApiKeyCommand = DomainCommand<
  'RevokeApiKey',
  { tenantId: TenantId; keyId: KeyId; reason: string; by: Actor; now: IsoTime }
>;
export type ChangeLimitsCommand = DomainCommand<
  'ChangeLimits',
  { tenantId: TenantId; limits: Partial<TenantLimits> }
>;
/** Replaces all summarizers at once. */
export type ConfigureSummarizersCommand = DomainCommand<
  'ConfigureSummarizers',
  { tenantId: TenantId; summarizers: TenantSummarizers }
>;

/** Replaces all defaults at once; sessions that are open already are not concerned. */
export type SetRetentionDefaultsCommand = DomainCommand<
  'SetRetentionDefaults',
  { tenantId: TenantId; retention: TenantRetention; by: Actor; now: IsoTime }
>;

/** Replaces the tenant's overrides of a model; absent fields are those of the installation. */
export type DescribeModelCommand = DomainCommand<
  'DescribeModel',
  { tenantId: TenantId; model: ModelOverride }
>;
export type ForgetModelCommand = DomainCommand<'ForgetModel', { tenantId: TenantId; model: string }>;

/** `hash` is the SHA-256 of the texts as canonical JSON, hexadecimal. */
export type RegisterPromptCommand = DomainCommand<
  'RegisterPrompt',
  { tenantId: TenantId; name: string; texts: PromptTexts; hash: string; by: Actor; now: IsoTime }
>;

export type RegisterWebhookCommand = DomainCommand<
  'RegisterWebhook',
  { tenantId: TenantId; webhook: WebhookFacts; now: IsoTime }
>;
/** Absent fields stay. */
export type ChangeWebhookCommand = DomainCommand<
  'ChangeWebhook',
  { tenantId: TenantId; webhookId: WebhookId; settings: Partial<WebhookSettings> }
>;
export type RemoveWebhookCommand = DomainCommand<
  'RemoveWebhook',
  { tenantId: TenantId; webhookId: WebhookId }
>;
export type RotateWebhookSecretCommand = DomainCommand<
  'RotateWebhookSecret',
  { tenantId: TenantId; webhookId: WebhookId; validUntil: IsoTime; now: IsoTime }
>;

export type SkipDeliveryCommand = DomainCommand<
  'SkipDelivery',
  { tenantId: TenantId } & WebhookDeliverySkipped['data']
>;

/** The value is stored outside the log and is not part of the command. */
export type StoreSecretCommand = DomainCommand<
  'StoreSecret',
  { tenantId: TenantId; name: SecretName; now: IsoTime }
>;
export type RemoveSecretCommand = DomainCommand<'RemoveSecret', { tenantId: TenantId; name: SecretName }>;

/** The key is replaced already: it is outside the log of events. */
type RecordLogKeyCommand = DomainCommand<
  'RecordLogKey',
  { tenantId: TenantId; keys: readonly string[]; now: IsoTime }
>;

export type TenantCommand =
  | RegisterTenantCommand
  | IssueApiKeyCommand
  | RotateApiKeyCommand
  | RevokeApiKeyCommand
  | ChangeLimitsCommand
  | ConfigureSummarizersCommand
  | SetRetentionDefaultsCommand
  | DescribeModelCommand
  | ForgetModelCommand
  | RegisterPromptCommand
  | RegisterWebhookCommand
  | ChangeWebhookCommand
  | RemoveWebhookCommand
  | RotateWebhookSecretCommand
  | SkipDeliveryCommand
  | StoreSecretCommand
  | RemoveSecretCommand
  | RecordLogKeyCommand;
