import {
  ChangeWebhook,
  ListWebhooks,
  RegisterWebhook,
  RemoveWebhook,
  RotateWebhookSecret,
  TestWebhook,
} from '@app/application';
import type { Webhook } from '@app/domain';
import { AppError, invariant, type WebhookId } from '@app/kernel';
import { Command } from 'commander';
import { seconds } from '../options.js';
import { CLI, type Shown, serviceCommand } from '../result-command.js';
import { deliveriesCommand, replayCommand, skipCommand } from './deliveries.command.js';
import { listCommand } from './list.command.js';
import {
  settingsIn,
  type WebhookFlags,
  webhookId,
  webhookUrl,
  withWebhookOptions,
} from './webhook-options.js';

const WEBHOOK = '`webhookId`, `url`, `label`, `types`, `sessions`, `content`, `registeredAt`';

/** Defines `palimpsest webhooks …`, which manages a tenant's webhooks and their deliveries. */
export const webhooksCommand = (): Command =>
  new Command('webhooks')
    .description('Manage webhooks, their deliveries and dead letters')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(addCommand())
    .addCommand(changeCommand())
    .addCommand(removeCommand())
    .addCommand(rotateCommand())
    .addCommand(testCommand())
    .addCommand(deliveriesCommand())
    .addCommand(replayCommand())
    .addCommand(skipCommand());

const showCommand = (): Command =>
  serviceCommand<object, [WebhookId]>(
    'show',
    'Show the settings of a webhook, without its secret',
    { json: WEBHOOK },
    ({ tenant }, webhook) =>
      async ({ queries }) => {
        const [found] = await queries.execute(new ListWebhooks(tenant, webhook));
        invariant(found, 'a webhook that is named is returned or refused');
        return shown(found);
      },
  ).argument('<webhook>', 'webhook ID', webhookId);

const addCommand = (): Command =>
  withWebhookOptions(
    serviceCommand<WebhookFlags, [string]>(
      'add',
      'Register a webhook for new events; its secret is printed once',
      {
        json: `${WEBHOOK}, \`secret\``,
        examples: [
          'palimpsest webhooks add https://example.com/hook --type CompactionCompleted CompactionFailed',
        ],
        guide: 'streaming.md#webhooks',
      },
      ({ tenant, json, ...options }, url) => {
        const defaults = { label: '', types: [], sessions: [], content: 'none' as const };
        const settings = { url, ...defaults, ...settingsIn(options) };
        return async ({ commands }) => {
          const added = await commands.execute(new RegisterWebhook(tenant, settings, CLI));
          const { secret, ...webhook } = added;
          return {
            json: added,
            text: `${textOf(webhook)}\nsecret        ${secret}`,
            ...(!json && { note: 'The secret signs the deliveries. It is not shown again.' }),
          };
        };
      },
    ),
  ).argument('<url>', 'HTTP or HTTPS URL of the receiver', webhookUrl);

type ChangeFlags = WebhookFlags & {
  readonly newUrl?: string;
  readonly allTypes?: boolean;
  readonly allSessions?: boolean;
};
const changeCommand = (): Command =>
  withWebhookOptions(
    serviceCommand<ChangeFlags, [WebhookId]>(
      'change',
      'Change settings of a webhook; other settings stay',
      { json: WEBHOOK },
      ({ tenant, ...options }, webhook) => {
        const settings = {
          ...(options.newUrl !== undefined && { url: options.newUrl }),
          ...(options.allTypes && { types: [] }),
          ...(options.allSessions && { sessions: [] }),
          ...settingsIn(options),
        };
        if (Object.keys(settings).length === 0)
          throw new AppError(
            'invalid-settings',
            'nothing is to change: give one setting, such as --label TEXT',
          );
        return async ({ commands }) =>
          shown(await commands.execute(new ChangeWebhook(tenant, { webhook, settings }, CLI)));
      },
    ),
  )
    .argument('<webhook>', 'webhook ID', webhookId)
    .option('--new-url <url>', 'HTTP or HTTPS URL of the receiver', webhookUrl)
    .option('--all-types', 'send events of all types')
    .option('--all-sessions', 'send events of all sessions');

const removeCommand = (): Command =>
  serviceCommand<object, [WebhookId]>(
    'remove',
    'Remove a webhook with its pending and dead deliveries',
    { json: '`webhookId`, `state`' },
    ({ tenant }, webhook) =>
      async ({ commands }) => {
        await commands.execute(new RemoveWebhook(tenant, webhook, CLI));
        return { json: { webhookId: webhook, state: 'removed' }, text: `webhook ${webhook} is removed` };
      },
  ).argument('<webhook>', 'webhook ID', webhookId);

const rotateCommand = (): Command =>
  serviceCommand<{ readonly overlap: number }, [WebhookId]>(
    'rotate',
    'Rotate the signing secret; the old secret stays valid during the overlap',
    { json: '`webhookId`, `secret`, `validUntil`' },
    ({ tenant, overlap, json }, webhook) =>
      async ({ commands }) => {
        const input = { webhook, overlapSeconds: overlap };
        const rotated = await commands.execute(new RotateWebhookSecret(tenant, input, CLI));
        const { secret, validUntil } = rotated;
        const note = `This is the new secret. It is not shown again; the old one is valid until ${validUntil}.`;
        return { json: rotated, text: secret, ...(!json && { note }) };
      },
  )
    .argument('<webhook>', 'webhook ID', webhookId)
    .option('--overlap <seconds>', 'seconds during which deliveries carry both signatures', seconds, 86_400);

const testCommand = (): Command =>
  serviceCommand<object, [WebhookId]>(
    'test',
    'Send a test event; exit code 1 if it was not delivered',
    { json: '`delivered`, `outcome`' },
    ({ tenant }, webhook) =>
      async ({ commands }) => {
        const { delivered, outcome } = await commands.execute(new TestWebhook(tenant, webhook, CLI));
        if (!delivered) process.exitCode = 1;
        const text = `${delivered ? 'delivered' : 'not delivered'}: ${outcome}`;
        return { json: { delivered, outcome }, text };
      },
  ).argument('<webhook>', 'webhook ID', webhookId);

const shown = (webhook: Webhook): Shown => ({ json: webhook, text: textOf(webhook) });

const textOf = (webhook: Webhook): string => {
  const { webhookId: id, url, label, types, sessions, content, registeredAt } = webhook;
  const rows: readonly (readonly [string, string])[] = [
    ['webhook', id],
    ['url', url],
    ['label', label || '–'],
    ['types', types.join(', ') || 'all'],
    ['sessions', sessions.join(', ') || 'all'],
    ['content', content],
    ['registeredAt', registeredAt],
  ];
  return rows.map(([name, value]) => `${name.padEnd(12)}  ${value}`).join('\n');
};
