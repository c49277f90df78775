import type { DeliveryState, DeliveryView } from '@app/contract';
import type { WebhookId } from '@app/kernel';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, limit, reason } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { note, print, printJson } from '../output/print.js';
import { countText } from '../output/value-text.js';
import { firstOf } from '../service/pages.js';
import { withService } from '../session-run.js';
import { webhookId } from './webhook-options.js';

const STATES = ['pending', 'delivered', 'dead'] as const satisfies readonly DeliveryState[];
const DELIVERY =
  '`delivery`, `session`, `revision`, `type`, `state`, `attempts`, `nextAt`, `lastOutcome`, `lastTriedAt`';

type ListFlags = GlobalOptions & { readonly state?: DeliveryState; readonly limit: number };

/** Defines `palimpsest webhooks deliveries WEBHOOK`, which lists deliveries, newest first. */
export const deliveriesCommand = (): Command =>
  withNotes(new Command('deliveries'), {
    json: `array of ${DELIVERY}`,
    examples: ['palimpsest webhooks deliveries WEBHOOK --state dead'],
    guide: 'streaming.md#webhooks',
  })
    .alias('delivery')
    .description('List deliveries of a webhook, newest first; --state dead lists dead letters')
    .argument('<webhook>', 'webhook ID', webhookId)
    .addOption(new Option('--state <state>', 'state of the deliveries').choices(STATES))
    .option('--limit <rows>', 'maximum number of deliveries', limit, 50)
    .action((webhook: WebhookId, _, command: Command) => {
      const options = command.optsWithGlobals<ListFlags>();
      const { tenant, state, limit: count } = options;
      return withService(options, async ({ deliveries }) => {
        const filter = { limit: count + 1, ...(state && { state }) };
        const { items, isCut } = await firstOf(deliveries(tenant, webhook, filter), count);
        if (options.json) printJson(items);
        else if (items.length === 0) print('no deliveries');
        else print(fittingTable(COLUMNS, items));
        if (isCut)
          note(
            `limited to the newest ${countText(items.length, 'delivery', 'deliveries')}: --limit shows more`,
          );
      });
    });

/** Defines `palimpsest webhooks replay WEBHOOK DELIVERY`, which sends a dead letter again. */
export const replayCommand = (): Command =>
  withNotes(new Command('replay'), { json: DELIVERY })
    .description('Send a dead delivery again, from its first attempt')
    .argument('<webhook>', 'webhook ID', webhookId)
    .argument('<delivery>', 'delivery ID, as `webhooks deliveries` shows it')
    .action((webhook: WebhookId, delivery: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ replayDelivery }) =>
        show(await replayDelivery(options.tenant, webhook, delivery), options),
      );
    });

/** Defines `palimpsest webhooks skip WEBHOOK DELIVERY`, which gives up a pending delivery. */
export const skipCommand = (): Command =>
  withNotes(new Command('skip'), { json: DELIVERY })
    .description('Skip a pending delivery: it becomes a dead letter, and the next event is sent')
    .argument('<webhook>', 'webhook ID', webhookId)
    .argument('<delivery>', 'delivery ID, as `webhooks deliveries` shows it')
    .requiredOption('--reason <text>', 'reason, for the audit', reason)
    .action((webhook: WebhookId, delivery: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly reason: string }>();
      return withService(options, async ({ skipDelivery }) =>
        show(await skipDelivery(options.tenant, webhook, { delivery, reason: options.reason }), options),
      );
    });

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

const show = (delivery: DeliveryView, { json }: GlobalOptions): void => {
  if (json) printJson(delivery);
  else
    print(
      `delivery ${delivery.delivery} is ${delivery.state}, after ${countText(delivery.attempts, 'attempt')}`,
    );
};
