import { AppError, canonicalJson } from '@app/kernel';
import { PROMPT_NAME, SUMMARIZER_NAME } from '../../profiles/summarizer-names.js';
import type { DecideForTenant } from '../commands.js';
import { promptNamed, requireSetting, requireValidPrompt } from '../prompts.js';

const SUMMARIZERS_MAX = 32;
const LINKS_MAX = 8;
/** Names with another meaning in profiles. */
const TAKEN: ReadonlySet<string> = new Set(['default', 'extractive']);

/** @throws {AppError} `invalid-settings`, with the first rule that is broken. */
export const configureSummarizers: DecideForTenant<'ConfigureSummarizers'> = (
  { data: { summarizers } },
  tenant,
) => {
  const named = Object.entries(summarizers.summarizers);
  requireSetting(named.length <= SUMMARIZERS_MAX, `a tenant has ${SUMMARIZERS_MAX} summarizers at most`);
  for (const [name, links] of named) {
    requireName('a summarizer', name);
    requireSetting(
      !TAKEN.has(name),
      `"${name}" is no name for a summarizer: profiles mean something else by it`,
    );
    const isFilled = links.length > 0 && links.length <= LINKS_MAX;
    requireSetting(isFilled, `a summarizer has 1 to ${LINKS_MAX} links: "${name}" has ${links.length}`);
    for (const link of links) {
      if (link.provider === 'extractive') continue;
      requireName('a secret', link.secret);
      requireSetting(
        link.prompt === undefined || PROMPT_NAME.test(link.prompt),
        'a prompt is given as NAME or NAME@VERSION: `palimpsest prompts list` shows those there are',
      );
    }
  }
  const byDefault = summarizers.default;
  requireSetting(
    byDefault === null || Object.hasOwn(summarizers.summarizers, byDefault),
    'default names one of the summarizers, or is null',
  );
  if (canonicalJson(summarizers) === canonicalJson(tenant.summarizers)) return [];
  return [{ type: 'SummarizersConfigured', data: summarizers }];
};

const requireName = (what: string, name: string): void =>
  requireSetting(
    SUMMARIZER_NAME.test(name),
    `the name of ${what} has 1 to 64 letters, digits, ".", "_" or "-", and begins with a letter or digit`,
  );

export const changeLimits: DecideForTenant<'ChangeLimits'> = ({ data: { limits } }, tenant) => {
  const changed = { ...tenant.limits, ...limits };
  const isSame =
    changed.requestsPerSecond === tenant.limits.requestsPerSecond &&
    changed.requestsPerMinute === tenant.limits.requestsPerMinute &&
    changed.tokensPerMinute === tenant.limits.tokensPerMinute &&
    changed.concurrentCompactions === tenant.limits.concurrentCompactions;
  return isSame ? [] : [{ type: 'LimitsChanged', data: { limits: changed } }];
};

/** All are searched whenever a session is opened. */
const MODELS_MAX = 200;

export const describeModel: DecideForTenant<'DescribeModel'> = ({ data: { model } }, { models }) => {
  const known = models.find(({ id }) => id === model.id);
  if (known && canonicalJson(known) === canonicalJson(model)) return [];
  if (!known && models.length >= MODELS_MAX)
    throw new AppError('invalid-settings', `a tenant describes at most ${MODELS_MAX} models: forget one`);
  return [{ type: 'ModelConfigured', data: { model } }];
};

export const forgetModel: DecideForTenant<'ForgetModel'> = ({ data: { model } }, { models }) => {
  if (models.some(({ id }) => id === model)) return [{ type: 'ModelRemoved', data: { model } }];
  throw new AppError('unknown-model', `the tenant says nothing of a model "${model.slice(0, 64)}"`);
};

/** All of them are in the tenant's state. */
const VERSIONS_MAX = 100;

/**
 * Registers a new version; no-op if the newest one has the same texts.
 * @throws {AppError} `invalid-settings`.
 */
export const registerPrompt: DecideForTenant<'RegisterPrompt'> = (
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
export const setRetentionDefaults: DecideForTenant<'SetRetentionDefaults'> = (
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
export const storeSecret: DecideForTenant<'StoreSecret'> = ({ data: { name, now } }, { secrets }) => {
  if (!secrets.includes(name) && secrets.length >= SECRETS_MAX)
    throw new AppError('too-many-secrets', `a tenant has at most ${SECRETS_MAX} secrets: remove one`);
  return [{ type: 'SecretStored', data: { name, storedAt: now } }];
};

export const removeSecret: DecideForTenant<'RemoveSecret'> = ({ data: { name } }, { secrets }) => {
  if (!secrets.includes(name)) throw new AppError('secret-not-found', `there is no secret "${name}"`);
  return [{ type: 'SecretRemoved', data: { name } }];
};
