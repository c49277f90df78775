import { AppError, canonicalJson, type WebhookId } from '@app/kernel';
import { PROMPT_NAME, SUMMARIZER_NAME } from '../../profiles/summarizer-names.js';
import type { DecideForTenant } from '../commands.js';
import type { WebhookFacts } from '../events.js';
import type { RegisteredTenant } from '../state.js';

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
  require(named.length <= SUMMARIZERS_MAX, `a tenant has ${SUMMARIZERS_MAX} summarizers at most`);
  for (const [name, links] of named) {
    requireName('a summarizer', name);
    require(!TAKEN.has(name), `"${name}" is no name for a summarizer: profiles mean something else by it`);
    const isFilled = links.length > 0 && links.length <= LINKS_MAX;
    require(isFilled, `a summarizer has 1 to ${LINKS_MAX} links: "${name}" has ${links.length}`);
    for (const link of links) {
      if (link.provider === 'extractive') continue;
      requireName('a secret', link.secret);
      require(link.prompt === undefined ||
        PROMPT_NAME.test(
          link.prompt,
        ), 'a prompt is given as NAME or NAME@VERSION: `palimpsest prompts list` shows those there are');
    }
  }
  const byDefault = summarizers.default;
  require(byDefault === null ||
    Object.hasOwn(summarizers.summarizers, byDefault), 'default names one of the summarizers, or is null');
  if (canonicalJson(summarizers) === canonicalJson(tenant.summarizers)) return [];
  return [{ type: 'SummarizersConfigured', data: summarizers }];
};

const requireName = (what: string, name: string): void =>
  require(SUMMARIZER_NAME.test(
    name,
  ), `the name of ${what} has 1 to 64 letters, digits, ".", "_" or "-", and begins with a letter or digit`);

const require = (holds: boolean, rule: string): void => {
  if (!holds) throw new AppError('invalid-settings', rule);
};

/** Each event is sent to each of them. */
const WEBHOOKS_MAX = 20;

export const registerWebhook: DecideForTenant<'RegisterWebhook'> = (
  { data: { webhook, now } },
  { webhooks },
) => {
  if (webhooks.some(({ webhookId }) => webhookId === webhook.webhookId)) return [];
  if (webhooks.length >= WEBHOOKS_MAX)
    throw new AppError('too-many-webhooks', `a tenant has at most ${WEBHOOKS_MAX} webhooks: remove one`);
  return [{ type: 'WebhookRegistered', data: { webhook, registeredAt: now } }];
};

export const changeWebhook: DecideForTenant<'ChangeWebhook'> = (
  { data: { webhookId, settings } },
  tenant,
) => {
  const known = requireWebhook(webhookId, tenant);
  const changed = { ...known, ...settings };
  const isSame =
    changed.url === known.url &&
    changed.label === known.label &&
    changed.content === known.content &&
    isSameList(changed.types, known.types) &&
    isSameList(changed.sessions, known.sessions);
  return isSame ? [] : [{ type: 'WebhookChanged', data: { webhook: changed } }];
};

export const removeWebhook: DecideForTenant<'RemoveWebhook'> = ({ data: { webhookId } }, tenant) => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookRemoved', data: { webhookId } }];
};

export const rotateWebhookSecret: DecideForTenant<'RotateWebhookSecret'> = (
  { data: { webhookId, validUntil, now } },
  tenant,
) => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookSecretRotated', data: { webhookId, validUntil, rotatedAt: now } }];
};

export const skipDelivery: DecideForTenant<'SkipDelivery'> = (
  { data: { webhookId, position, reason } },
  tenant,
) => {
  requireWebhook(webhookId, tenant);
  return [{ type: 'WebhookDeliverySkipped', data: { webhookId, position, reason } }];
};

const requireWebhook = (webhookId: WebhookId, { webhooks }: RegisteredTenant): WebhookFacts => {
  const found = webhooks.find((one) => one.webhookId === webhookId);
  if (!found) throw new AppError('webhook-not-found', `there is no webhook ${webhookId}`);
  const { registeredAt: _, ...facts } = found;
  return facts;
};

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
