import { AppError, type IsoTime, type LogPosition, type TenantId, type WebhookId } from '@app/kernel';
import type { Subscriptions, WebhookDeliveries, WebhookDelivery } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { withLock } from '../projector/lock.js';
import { pageOf } from '../queries/page.js';
import type { ReadTables } from '../rows/read-tables.js';
import { heldDeliveries } from './held-deliveries.js';
import { DELIVERY_COLUMNS, type DeliveryRow, deliveryOf } from './rows.js';

/** The first 60 bits of the SHA-256 of `palimpsest webhooks`. */
const WEBHOOKS_LOCK = 172_854_641_239_325_532n;

/** What waits for webhooks, and what has become of it, on a migrated database. */
export const openWebhookDeliveries = (
  { db }: ReadModelDatabase,
  subscriptions: Subscriptions,
): WebhookDeliveries => {
  const tables = db.withTables<ReadTables>();
  return {
    hold: (signal, work) =>
      withLock(tables, WEBHOOKS_LOCK, signal, (connection) =>
        work(heldDeliveries(connection, subscriptions)),
      ),
    page: ({ tenant, webhook, state }, page) =>
      pageOf(
        page,
        async (limit) => {
          const { rows } = await sql<DeliveryRow>`select ${DELIVERY_COLUMNS} from webhook_delivery as d
            where tenant = ${tenant} and webhook = ${webhook}
              ${state === undefined ? sql`` : sql`and state = ${state}`}
              ${page.before === undefined ? sql`` : sql`and position < ${page.before}`}
            order by position desc limit ${limit}`.execute(tables);
          return rows;
        },
        ({ position }) => position,
        deliveryOf,
      ),
    replay: (tenant, webhook, position, at) => replay(tables, { tenant, webhook, position }, at),
  };
};

const replay = async (
  db: Kysely<ReadTables>,
  { tenant, webhook, position }: { tenant: TenantId; webhook: WebhookId; position: LogPosition },
  at: IsoTime,
): Promise<WebhookDelivery> => {
  const one = sql`tenant = ${tenant} and webhook = ${webhook} and position = ${position}`;
  const { rows } = await sql<DeliveryRow>`update webhook_delivery as d
    set state = 'pending', attempts = 0, next_at = ${at}::timestamptz
    where ${one} and state = 'dead' returning ${DELIVERY_COLUMNS}`.execute(db);
  if (rows[0]) return deliveryOf(rows[0]);
  const known = await sql`select from webhook_delivery where ${one}`.execute(db);
  if (known.rows.length > 0)
    throw new AppError('delivery-not-dead', `delivery ${position} of ${webhook} is no dead letter`);
  throw new AppError('delivery-not-found', `webhook ${webhook} has no delivery ${position}`);
};
