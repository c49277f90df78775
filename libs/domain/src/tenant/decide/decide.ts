import { AppError, type Decisions, type TenantId } from '@app/kernel';
import type { TenantCommand, TenantCommandOf } from '../commands.js';
import type { TenantEvent } from '../events.js';
import type { RegisteredTenant, TenantState } from '../state.js';
import { issueApiKey, revokeApiKey, rotateApiKey } from './keys.js';
import {
  changeLimits,
  configureSummarizers,
  describeModel,
  forgetModel,
  registerPrompt,
  removeSecret,
  setRetentionDefaults,
  storeSecret,
} from './settings.js';
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
  return decideRegistered(command, tenant);
};

const registerTenant = (
  { data: { tenantId, name, key, by, now } }: TenantCommandOf<'RegisterTenant'>,
  state: TenantState,
): readonly TenantEvent[] => {
  if (state.status === 'registered') throw new AppError('tenant-exists', `there is a tenant "${tenantId}"`);
  return [
    { type: 'TenantRegistered', data: { tenantId, name } },
    ...(key ? [{ type: 'ApiKeyIssued', data: { key, issuedBy: by, issuedAt: now } } as const] : []),
  ];
};

const requireRegistered = (tenantId: TenantId, state: TenantState): RegisteredTenant => {
  if (state.status === 'registered') return state;
  throw new AppError('tenant-not-found', `there is no tenant "${tenantId}"`);
};

type OnRegistered = Exclude<TenantCommand, TenantCommandOf<'RegisterTenant' | 'RecordLogKey'>>;
const DECISIONS: Decisions<OnRegistered, RegisteredTenant, TenantEvent> = {
  IssueApiKey: issueApiKey,
  RotateApiKey: rotateApiKey,
  RevokeApiKey: revokeApiKey,
  ChangeLimits: changeLimits,
  ConfigureSummarizers: configureSummarizers,
  SetRetentionDefaults: setRetentionDefaults,
  RegisterPrompt: registerPrompt,
  DescribeModel: describeModel,
  ForgetModel: forgetModel,
  RegisterWebhook: registerWebhook,
  ChangeWebhook: changeWebhook,
  RemoveWebhook: removeWebhook,
  RotateWebhookSecret: rotateWebhookSecret,
  SkipDelivery: skipDelivery,
  StoreSecret: storeSecret,
  RemoveSecret: removeSecret,
};

const decideRegistered = <Type extends OnRegistered['type']>(
  command: Extract<OnRegistered, { readonly type: Type }>,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => DECISIONS[command.type](command, tenant);
