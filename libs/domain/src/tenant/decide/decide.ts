import { AppError, type TenantId } from '@app/kernel';
import type { ChangeLimitsCommand, RegisterTenantCommand, TenantCommand } from '../commands.js';
import type { TenantEvent } from '../events.js';
import type { RegisteredTenant, TenantState } from '../state.js';
import { issueApiKey, revokeApiKey, rotateApiKey } from './keys.js';
import { describeModel, forgetModel } from './models.js';
import { registerPrompt } from './prompts.js';
import { setRetentionDefaults } from './retention.js';
import { removeSecret, storeSecret } from './secrets.js';
import { configureSummarizers } from './summarizers.js';
import {
  changeWebhook,
  registerWebhook,
  removeWebhook,
  rotateWebhookSecret,
  skipDelivery,
} from './webhooks.js';

/**
 * Returns the events that `command` causes in `state`; none if it was executed before.
 *
 * @throws {AppError} `tenant-not-found`, `tenant-exists`, `key-not-found`, `key-inactive`, `webhook-not-found`,
 *   `too-many-webhooks`, `secret-not-found`, `too-many-secrets`, `too-many-keys`, `unknown-model`, `invalid-settings`.
 */
export const decide = (command: TenantCommand, state: TenantState): readonly TenantEvent[] => {
  if (command.type === 'RegisterTenant') return registerTenant(command, state);
  if (command.type === 'RecordLogKey')
    return [{ type: 'LogKeyRotated', data: { keys: command.data.keys, rotatedAt: command.data.now } }];
  const tenant = requireRegistered(command.data.tenantId, state);
  switch (command.type) {
    case 'IssueApiKey':
      return issueApiKey(command, tenant);
    case 'RotateApiKey':
      return rotateApiKey(command, tenant);
    case 'RevokeApiKey':
      return revokeApiKey(command, tenant);
    case 'ChangeLimits':
      return changeLimits(command, tenant);
    case 'ConfigureSummarizers':
      return configureSummarizers(command, tenant);
    case 'SetRetentionDefaults':
      return setRetentionDefaults(command, tenant);
    case 'RegisterPrompt':
      return registerPrompt(command, tenant);
    case 'DescribeModel':
      return describeModel(command, tenant);
    case 'ForgetModel':
      return forgetModel(command, tenant);
    case 'RegisterWebhook':
      return registerWebhook(command, tenant);
    case 'ChangeWebhook':
      return changeWebhook(command, tenant);
    case 'RemoveWebhook':
      return removeWebhook(command, tenant);
    case 'RotateWebhookSecret':
      return rotateWebhookSecret(command, tenant);
    case 'SkipDelivery':
      return skipDelivery(command, tenant);
    case 'StoreSecret':
      return storeSecret(command, tenant);
    case 'RemoveSecret':
      return removeSecret(command, tenant);
  }
};

const registerTenant = (
  { data: { tenantId, name, key, by, now } }: RegisterTenantCommand,
  state: TenantState,
): readonly TenantEvent[] => {
  if (state.status === 'registered') throw new AppError('tenant-exists', `there is a tenant "${tenantId}"`);
  return [
    { type: 'TenantRegistered', data: { tenantId, name } },
    ...(key ? [{ type: 'ApiKeyIssued', data: { key, issuedBy: by, issuedAt: now } } as const] : []),
  ];
};

const changeLimits = (
  { data: { limits } }: ChangeLimitsCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  const changed = { ...tenant.limits, ...limits };
  const isSame =
    changed.requestsPerSecond === tenant.limits.requestsPerSecond &&
    changed.requestsPerMinute === tenant.limits.requestsPerMinute &&
    changed.tokensPerMinute === tenant.limits.tokensPerMinute &&
    changed.concurrentCompactions === tenant.limits.concurrentCompactions;
  return isSame ? [] : [{ type: 'LimitsChanged', data: { limits: changed } }];
};

const requireRegistered = (tenantId: TenantId, state: TenantState): RegisteredTenant => {
  if (state.status === 'registered') return state;
  throw new AppError('tenant-not-found', `there is no tenant "${tenantId}"`);
};
