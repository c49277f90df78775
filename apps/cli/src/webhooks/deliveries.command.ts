import { deliveryPosition, ReplayDelivery, SkipDelivery } from '@app/application';
import type { DeliveryState, DeliveryView } from '@app/contract';
import type { WebhookId } from '@app/kernel';
import { type Command, Option } from 'commander';
import { limit, reason } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { countText } from '../output/value-text.js';
import { CLI, type Shown, serviceCommand } from '../result-command.js';
import { firstOf } from '../service/pages.js';
import { webhookId } from './webhook-options.js';

const STATES = ['pending', 'delivered', 'dead'] as const satisfies readonly DeliveryState[];
const DELIVERY =
  '`delivery`, `session`, `revision`, `type`, `state`, `attempts`, `nextAt`, `lastOutcome`, `lastTriedAt`';

type ListFlags = { readonly state?: DeliveryState; readonly limit: number };

/** Defines `palimpsest webhooks deliveries WEBHOOK`, which lists deliveries, newest first. */
export const deliveriesCommand = (): Command =>
  serviceCommand<ListFlags, [WebhookId]>(
    'deliveries',
    'List deliveries of a webhook, newest first; --state dead lists dead letters',
    {
      json: `array of ${DELIVERY}`,
      examples: ['palimpsest webhooks deliveries WEBHOOK --state dead'],
      guide: 'streaming.md#webhooks',
    },
    ({ tenant, state, limit: count }, webhook) =>
      async ({ deliveries }) => {
        const filter = { limit: count + 1, ...(state && { state }) };
        const { items, isCut } = await firstOf(deliveries(tenant, webhook, filter), count);
        const many = countText(items.length, 'delivery', 'deliveries');
        return {
          json: items,
          text: items.length === 0 ? 'no deliveries' : fittingTable(COLUMNS, items),
          ...(isCut && { note: `limited to the newest ${many}: --limit shows more` }),
        };
      },
  )
    .alias('delivery')
    .argument('<webhook>', 'webhook ID', webhookId)
    .addOption(new Option('--state <state>', 'state of the deliveries').choices(STATES))
    .option('--limit <rows>', 'maximum number of deliveries', limit, 50);

/** Defines `palimpsest webhooks replay WEBHOOK DELIVERY`, which sends a dead letter again. */
export const replayCommand = (): Command =>
  serviceCommand<object, [WebhookId, string]>(
    'replay',
    'Send a dead delivery again, from its first attempt',
    { json: DELIVERY },
    ({ tenant }, webhook, delivery) =>
      async ({ commands }) => {
        const replayed = { webhook, position: deliveryPosition(delivery) };
        return shown(await commands.execute(new ReplayDelivery(tenant, replayed, CLI)));
      },
  )
    .argument('<webhook>', 'webhook ID', webhookId)
    .argument('<delivery>', 'delivery ID, as `webhooks deliveries` shows it');

/** Defines `palimpsest webhooks skip WEBHOOK DELIVERY`, which gives up a pending delivery. */
export const skipCommand = (): Command =>
  serviceCommand<{ readonly reason: string }, [WebhookId, string]>(
    'skip',
    'Skip a pending delivery: it becomes a dead letter, and the next event is sent',
    { json: DELIVERY },
    ({ tenant, reason: why }, webhook, delivery) =>
      async ({ commands }) => {
        const skipped = { webhook, position: deliveryPosition(delivery), reason: why };
        return shown(await commands.execute(new SkipDelivery(tenant, skipped, CLI)));
      },
  )
    .argument('<webhook>', 'webhook ID', webhookId)
    .argument('<delivery>', 'delivery ID, as `webhooks deliveries` shows it')
    .requiredOption('--reason <text>', 'reason, for the audit', reason);

const COLUMNS: readonly Column<DeliveryView>[] = [
  { name: 'delivery', of: ({ delivery }) => delivery },
  { name: 'state', of: ({ state }) => state },
  { name: 'attempts', of: ({ attempts }) => attempts, isNumber: true },
  { name: 'outcome', of: ({ lastOutcome }) => lastOutcome, cutTo: 20 },
  { name: 'type', of: ({ type }) => type, cutTo: 12 },
  { name: 'session', of: ({ session }) => session, cutTo: 8 },
  { name: 'revision', of: ({ revision }) => revision, isNumber: true },
  { name: 'nextAt', of: ({ nextAt }) => nextAt },
  { name: 'lastTriedAt', of: ({ lastTriedAt }) => lastTriedAt },
];

const shown = (view: DeliveryView): Shown => {
  const { delivery, state, attempts } = view;
  return { json: view, text: `delivery ${delivery} is ${state}, after ${countText(attempts, 'attempt')}` };
};
