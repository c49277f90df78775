import { ListWebhooks } from '@app/application';
import type { DeliveryView } from '@app/contract';
import type { Webhook } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { Command } from 'commander';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { ageText } from '../output/value-text.js';
import { serviceCommand } from '../result-command.js';
import { firstOf } from '../service/pages.js';
import type { Service } from '../service/service.js';

const WEBHOOK = '`webhookId`, `url`, `label`, `types`, `sessions`, `content`, `registeredAt`';

/** Maximum of counted deliveries per state. */
const COUNTED_MAX = 100;

/** A webhook with the state of its deliveries; `pending` and `dead` are counts, at most `COUNTED_MAX`. */
type ListedWebhook = Webhook & {
  readonly status: 'idle' | 'delivering' | 'retrying' | 'failing';
  readonly pending: number;
  readonly dead: number;
  readonly lastDelivery: DeliveryView | null;
};

/** Defines `palimpsest webhooks list`. */
export const listCommand = (): Command =>
  serviceCommand(
    'list',
    'List webhooks with the state of their deliveries',
    {
      details:
        'Status: `failing` with a dead letter, `retrying` after a failed attempt, `delivering` otherwise, `idle` before the first delivery. Pending and dead deliveries are counted up to 100.',
      json: `array of ${WEBHOOK}, \`status\`, \`pending\`, \`dead\`, \`lastDelivery\` (fields of \`webhooks deliveries\`, or \`null\`)`,
      guide: 'streaming.md#webhooks',
    },
    ({ tenant }) =>
      async (service) => {
        const webhooks: ListedWebhook[] = [];
        for (const webhook of await service.queries.execute(new ListWebhooks(tenant, undefined)))
          webhooks.push(await withDeliveries(service, tenant, webhook));
        const none = 'no webhooks yet: `palimpsest webhooks add URL` registers one';
        return {
          json: webhooks,
          text: webhooks.length === 0 ? none : fittingTable(columnsAt(new Date()), webhooks),
        };
      },
  );

const withDeliveries = async (
  { deliveries }: Service,
  tenant: TenantId,
  webhook: Webhook,
): Promise<ListedWebhook> => {
  const newest = async (count: number, state?: DeliveryView['state']) =>
    (await firstOf(deliveries(tenant, webhook.webhookId, { limit: count, ...(state && { state }) }), count))
      .items;
  const [[lastDelivery = null], pending, dead] = [
    await newest(1),
    await newest(COUNTED_MAX, 'pending'),
    await newest(COUNTED_MAX, 'dead'),
  ];
  return {
    ...webhook,
    status: statusOf(lastDelivery, pending, dead),
    pending: pending.length,
    dead: dead.length,
    lastDelivery,
  };
};

/** Returns `failing` with a dead letter, `retrying` after a failed attempt, otherwise `delivering` or `idle`. */
const statusOf = (
  last: DeliveryView | null,
  pending: readonly DeliveryView[],
  dead: readonly DeliveryView[],
): ListedWebhook['status'] => {
  if (dead.length > 0) return 'failing';
  if (pending.some(({ attempts }) => attempts > 0)) return 'retrying';
  return last === null ? 'idle' : 'delivering';
};

const columnsAt = (now: Date): readonly Column<ListedWebhook>[] => [
  { name: 'webhook', of: ({ webhookId }) => webhookId },
  { name: 'status', of: ({ status }) => status },
  { name: 'pending', of: ({ pending }) => countText(pending), isNumber: true },
  { name: 'dead', of: ({ dead }) => countText(dead), isNumber: true },
  {
    name: 'last delivery',
    of: ({ lastDelivery: last }) =>
      last &&
      `${last.lastOutcome ?? last.state}${last.lastTriedAt === null ? '' : `, ${ageText(last.lastTriedAt, now)}`}`,
  },
  { name: 'url', of: ({ url }) => url, cutTo: 20 },
  { name: 'label', of: ({ label }) => label || null, cutTo: 8 },
];

const countText = (count: number): string => (count === COUNTED_MAX ? `${count}+` : String(count));
