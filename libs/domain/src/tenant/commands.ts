import type { DomainCommand, IsoTime, KeyId, SecretName, TenantId, WebhookId } from '@app/kernel';
import type { ApiKeyFacts, WebhookDeliverySkipped, WebhookFacts, WebhookSettings } from './events.js';
import type { TenantLimits } from './limits.js';

/** Begins a tenant, where it is given with its first key: nobody could ask for one without. */
export type RegisterTenantCommand = DomainCommand<
  'RegisterTenant',
  { tenantId: TenantId; name: string; key?: ApiKeyFacts; now: IsoTime }
>;
export type IssueApiKeyCommand = DomainCommand<
  'IssueApiKey',
  { tenantId: TenantId; key: ApiKeyFacts; now: IsoTime }
>;
/** The replacement has the role and the label of the key that it replaces. */
export type RotateApiKeyCommand = DomainCommand<
  'RotateApiKey',
  {
    tenantId: TenantId;
    keyId: KeyId;
    replacement: Omit<ApiKeyFacts, 'role' | 'label'>;
    /** When the old key ends at the latest. */
    validUntil: IsoTime;
    now: IsoTime;
  }
>;
export type RevokeApiKeyCommand = DomainCommand<
  'RevokeApiKey',
  { tenantId: TenantId; keyId: KeyId; reason: string }
>;
export type ChangeLimitsCommand = DomainCommand<
  'ChangeLimits',
  { tenantId: TenantId; limits: Partial<TenantLimits> }
>;

export type RegisterWebhookCommand = DomainCommand<
  'RegisterWebhook',
  { tenantId: TenantId; webhook: WebhookFacts; now: IsoTime }
>;
/** What is not named stays. */
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

/** Its value is no part of it: that stands outside the log. */
export type StoreSecretCommand = DomainCommand<
  'StoreSecret',
  { tenantId: TenantId; name: SecretName; now: IsoTime }
>;
export type RemoveSecretCommand = DomainCommand<'RemoveSecret', { tenantId: TenantId; name: SecretName }>;

export type TenantCommand =
  | RegisterTenantCommand
  | IssueApiKeyCommand
  | RotateApiKeyCommand
  | RevokeApiKeyCommand
  | ChangeLimitsCommand
  | RegisterWebhookCommand
  | ChangeWebhookCommand
  | RemoveWebhookCommand
  | RotateWebhookSecretCommand
  | SkipDeliveryCommand
  | StoreSecretCommand
  | RemoveSecretCommand;
