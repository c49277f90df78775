import {
  ChangeWebhook,
  ListWebhooks,
  RegisterWebhook,
  RemoveWebhook,
  RotateWebhookSecret,
  TestWebhook,
} from '@app/application';
import type { Webhook } from '@app/domain';
import { Actor, AppError, invariant, type WebhookId } from '@app/kernel';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, seconds } from '../options.js';
import { note, print, printJson } from '../output/print.js';
import { withService } from '../session-run.js';
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

const caller = { actor: Actor('cli') };

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
  withNotes(new Command('show'), { json: WEBHOOK })
    .description('Show the settings of a webhook, without its secret')
    .argument('<webhook>', 'webhook ID', webhookId)
    .action((webhook: WebhookId, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const [found] = await queries.execute(new ListWebhooks(options.tenant, webhook));
        invariant(found, 'a webhook that is named is returned or refused');
        show(found, options);
      });
    });

const addCommand = (): Command =>
  withWebhookOptions(
    withNotes(new Command('add'), {
      json: `${WEBHOOK}, \`secret\``,
      examples: [
        'palimpsest webhooks add https://example.com/hook --type CompactionCompleted CompactionFailed',
      ],
      guide: 'streaming.md#webhooks',
    }),
  )
    .description('Register a webhook for new events; its secret is printed once')
    .argument('<url>', 'HTTP or HTTPS URL of the receiver', webhookUrl)
    .action((url: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & WebhookFlags>();
      const settings = {
        url,
        label: '',
        types: [],
        sessions: [],
        content: 'none' as const,
        ...settingsIn(options),
      };
      return withService(options, async ({ commands }) => {
        const added = await commands.execute(new RegisterWebhook(options.tenant, settings, caller));
        if (options.json) return printJson(added);
        const { secret, ...webhook } = added;
        show(webhook, options);
        print(`secret        ${secret}`);
        note('The secret signs the deliveries. It is not shown again.');
      });
    });

type ChangeFlags = GlobalOptions &
  WebhookFlags & { readonly newUrl?: string; readonly allTypes?: boolean; readonly allSessions?: boolean };
const changeCommand = (): Command =>
  withWebhookOptions(withNotes(new Command('change'), { json: WEBHOOK }))
    .description('Change settings of a webhook; other settings stay')
    .argument('<webhook>', 'webhook ID', webhookId)
    .option('--new-url <url>', 'HTTP or HTTPS URL of the receiver', webhookUrl)
    .option('--all-types', 'send events of all types')
    .option('--all-sessions', 'send events of all sessions')
    .action((webhook: WebhookId, _, command: Command) => {
      const options = command.optsWithGlobals<ChangeFlags>();
      const change = {
        ...(options.newUrl !== undefined && { url: options.newUrl }),
        ...(options.allTypes && { types: [] }),
        ...(options.allSessions && { sessions: [] }),
        ...settingsIn(options),
      };
      if (Object.keys(change).length === 0)
        throw new AppError(
          'invalid-settings',
          'nothing is to change: give one setting, such as --label TEXT',
        );
      return withService(options, async ({ commands }) =>
        show(
          await commands.execute(new ChangeWebhook(options.tenant, { webhook, settings: change }, caller)),
          options,
        ),
      );
    });

const removeCommand = (): Command =>
  withNotes(new Command('remove'), { json: '`webhookId`, `state`' })
    .description('Remove a webhook with its pending and dead deliveries')
    .argument('<webhook>', 'webhook ID', webhookId)
    .action((webhook: WebhookId, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ commands }) => {
        await commands.execute(new RemoveWebhook(options.tenant, webhook, caller));
        if (options.json) printJson({ webhookId: webhook, state: 'removed' });
        else print(`webhook ${webhook} is removed`);
      });
    });

const rotateCommand = (): Command =>
  withNotes(new Command('rotate'), { json: '`webhookId`, `secret`, `validUntil`' })
    .description('Rotate the signing secret; the old secret stays valid during the overlap')
    .argument('<webhook>', 'webhook ID', webhookId)
    .option('--overlap <seconds>', 'seconds during which deliveries carry both signatures', seconds, 86_400)
    .action((webhook: WebhookId, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly overlap: number }>();
      return withService(options, async ({ commands }) => {
        const rotate = new RotateWebhookSecret(
          options.tenant,
          { webhook, overlapSeconds: options.overlap },
          caller,
        );
        const rotated = await commands.execute(rotate);
        if (options.json) return printJson(rotated);
        print(rotated.secret);
        note(
          `This is the new secret. It is not shown again; the old one is valid until ${rotated.validUntil}.`,
        );
      });
    });

const testCommand = (): Command =>
  withNotes(new Command('test'), { json: '`delivered`, `outcome`' })
    .description('Send a test event; exit code 1 if it was not delivered')
    .argument('<webhook>', 'webhook ID', webhookId)
    .action((webhook: WebhookId, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ commands }) => {
        const { delivered, outcome } = await commands.execute(
          new TestWebhook(options.tenant, webhook, caller),
        );
        if (!delivered) process.exitCode = 1;
        if (options.json) printJson({ delivered, outcome });
        else print(`${delivered ? 'delivered' : 'not delivered'}: ${outcome}`);
      });
    });

const show = (webhook: Webhook, { json }: GlobalOptions): void => {
  if (json) printJson(webhook);
  else print(textOf(webhook));
};

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
