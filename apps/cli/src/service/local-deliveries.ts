import {
  deliveryPosition,
  deliveryView,
  ListDeliveries,
  ReplayDelivery,
  SkipDelivery,
} from '@app/application';
import { Actor, type LogPosition } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { allItems } from './pages.js';
import type { Service } from './service.js';

const caller = { actor: Actor('cli') };
/** Maximum page size of the read models. */
const PAGE = 1_000;

/** Reads webhook deliveries from the local database. */
export const localDeliveries = ({
  commands,
  queries,
}: Pick<Palimpsest, 'commands' | 'queries'>): Pick<
  Service,
  'deliveries' | 'replayDelivery' | 'skipDelivery'
> => ({
  deliveries: async function* (tenant, webhook, { state, limit }) {
    const pages = allItems((_, before: LogPosition | undefined) =>
      queries.execute(
        new ListDeliveries(
          tenant,
          webhook,
          { limit: Math.min(PAGE, limit), ...(before !== undefined && { before }) },
          state,
        ),
      ),
    );
    for await (const delivery of pages) yield deliveryView(delivery);
  },
  replayDelivery: async (tenant, webhook, delivery) =>
    deliveryView(await commands.execute(new ReplayDelivery(tenant, webhook, deliveryPosition(delivery)))),
  skipDelivery: async (tenant, webhook, { delivery, reason }) => {
    const skip = { position: deliveryPosition(delivery), reason };
    return deliveryView(await commands.execute(new SkipDelivery(tenant, { webhook, ...skip }, caller)));
  },
});
