import { AppError, canonicalJson, type TenantId } from '@app/kernel';
import type {
  ChangeLimitsCommand,
  DescribeModelCommand,
  ForgetModelCommand,
  RegisterPromptCommand,
  RegisterTenantCommand,
  RemoveSecretCommand,
  SetRetentionDefaultsCommand,
  StoreSecretCommand,
  TenantCommand,
} from '../commands.js';
import type { TenantEvent } from '../events.js';
import { promptNamed, requireValidPrompt } from '../prompts.js';
import type { RegisteredTenant, TenantState } from '../state.js';
import { issueApiKey, revokeApiKey, rotateApiKey } from './keys.js';
import {
  changeWebhook,
  configureSummarizers,
  registerWebhook,
  removeWebhook,
  rotateWebhookSecret,
  skipDelivery,
} from './settings.js';

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

/** All are searched whenever a session is opened. */
const MODELS_MAX = 200;

const describeModel = (
  { data: { model } }: DescribeModelCommand,
  { models }: RegisteredTenant,
): readonly TenantEvent[] => {
  const known = models.find(({ id }) => id === model.id);
  if (known && canonicalJson(known) === canonicalJson(model)) return [];
  if (!known && models.length >= MODELS_MAX)
    throw new AppError('invalid-settings', `a tenant describes at most ${MODELS_MAX} models: forget one`);
  return [{ type: 'ModelConfigured', data: { model } }];
};

const forgetModel = (
  { data: { model } }: ForgetModelCommand,
  { models }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (models.some(({ id }) => id === model)) return [{ type: 'ModelRemoved', data: { model } }];
  throw new AppError('unknown-model', `the tenant says nothing of a model "${model.slice(0, 64)}"`);
};

/** All of them are in the tenant's state. */
const VERSIONS_MAX = 100;

/**
 * Registers a new version; no-op if the newest one has the same texts.
 * @throws {AppError} `invalid-settings`.
 */
const registerPrompt = (
  { data: { name, texts, hash, by, now } }: RegisterPromptCommand,
  { prompts }: RegisteredTenant,
): readonly TenantEvent[] => {
  requireValidPrompt(name, texts);
  const newest = promptNamed(prompts, name);
  if (newest?.hash === hash) return [];
  if (prompts.length >= VERSIONS_MAX)
    throw new AppError('invalid-settings', `a tenant has at most ${VERSIONS_MAX} versions of prompts in all`);
  const prompt = { name, version: (newest?.version ?? 0) + 1, hash, texts };
  return [{ type: 'PromptRegistered', data: { prompt, registeredBy: by, registeredAt: now } }];
};

const PROFILES_MAX = 100;

/** @throws {AppError} `invalid-settings` for too many profiles. */
const setRetentionDefaults = (
  { data: { retention, by, now } }: SetRetentionDefaultsCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  if (Object.keys(retention.profiles).length > PROFILES_MAX)
    throw new AppError('invalid-settings', `at most ${PROFILES_MAX} profiles have a retention of their own`);
  if (canonicalJson(retention) === canonicalJson(tenant.retention)) return [];
  return [{ type: 'RetentionDefaultsSet', data: { ...retention, setBy: by, setAt: now } }];
};

const SECRETS_MAX = 100;

/** Each time: whether the value is another one than before is not known here. */
const storeSecret = (
  { data: { name, now } }: StoreSecretCommand,
  { secrets }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (!secrets.includes(name) && secrets.length >= SECRETS_MAX)
    throw new AppError('too-many-secrets', `a tenant has at most ${SECRETS_MAX} secrets: remove one`);
  return [{ type: 'SecretStored', data: { name, storedAt: now } }];
};

const removeSecret = (
  { data: { name } }: RemoveSecretCommand,
  { secrets }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (!secrets.includes(name)) throw new AppError('secret-not-found', `there is no secret "${name}"`);
  return [{ type: 'SecretRemoved', data: { name } }];
};
