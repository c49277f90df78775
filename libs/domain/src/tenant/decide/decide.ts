import { AppError, canonicalJson, type TenantId } from '@app/kernel';
import type { DecideForTenant, TenantCommand, TenantCommandOf } from '../commands.js';
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

const changeLimits: DecideForTenant<'ChangeLimits'> = ({ data: { limits } }, tenant) => {
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

const describeModel: DecideForTenant<'DescribeModel'> = ({ data: { model } }, { models }) => {
  const known = models.find(({ id }) => id === model.id);
  if (known && canonicalJson(known) === canonicalJson(model)) return [];
  if (!known && models.length >= MODELS_MAX)
    throw new AppError('invalid-settings', `a tenant describes at most ${MODELS_MAX} models: forget one`);
  return [{ type: 'ModelConfigured', data: { model } }];
};

const forgetModel: DecideForTenant<'ForgetModel'> = ({ data: { model } }, { models }) => {
  if (models.some(({ id }) => id === model)) return [{ type: 'ModelRemoved', data: { model } }];
  throw new AppError('unknown-model', `the tenant says nothing of a model "${model.slice(0, 64)}"`);
};

/** All of them are in the tenant's state. */
const VERSIONS_MAX = 100;

/**
 * Registers a new version; no-op if the newest one has the same texts.
 * @throws {AppError} `invalid-settings`.
 */
const registerPrompt: DecideForTenant<'RegisterPrompt'> = (
  { data: { name, texts, hash, by, now } },
  { prompts },
) => {
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
const setRetentionDefaults: DecideForTenant<'SetRetentionDefaults'> = (
  { data: { retention, by, now } },
  tenant,
) => {
  if (Object.keys(retention.profiles).length > PROFILES_MAX)
    throw new AppError('invalid-settings', `at most ${PROFILES_MAX} profiles have a retention of their own`);
  if (canonicalJson(retention) === canonicalJson(tenant.retention)) return [];
  return [{ type: 'RetentionDefaultsSet', data: { ...retention, setBy: by, setAt: now } }];
};

const SECRETS_MAX = 100;

/** Each time: whether the value is another one than before is not known here. */
const storeSecret: DecideForTenant<'StoreSecret'> = ({ data: { name, now } }, { secrets }) => {
  if (!secrets.includes(name) && secrets.length >= SECRETS_MAX)
    throw new AppError('too-many-secrets', `a tenant has at most ${SECRETS_MAX} secrets: remove one`);
  return [{ type: 'SecretStored', data: { name, storedAt: now } }];
};

const removeSecret: DecideForTenant<'RemoveSecret'> = ({ data: { name } }, { secrets }) => {
  if (!secrets.includes(name)) throw new AppError('secret-not-found', `there is no secret "${name}"`);
  return [{ type: 'SecretRemoved', data: { name } }];
};

type OnRegistered = Exclude<TenantCommand, TenantCommandOf<'RegisterTenant' | 'RecordLogKey'>>;
type Decisions = {
  readonly [Type in OnRegistered['type']]: (
    command: Extract<OnRegistered, { readonly type: Type }>,
    tenant: RegisteredTenant,
  ) => readonly TenantEvent[];
};
const DECISIONS: Decisions = {
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
