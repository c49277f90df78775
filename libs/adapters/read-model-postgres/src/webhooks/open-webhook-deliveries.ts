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

/**
 * Opens the store of webhook deliveries on a migrated database.
 *
 * @param onError called for each unreadable event before the log is read further.
 */
export const openWebhookDeliveries = (
  { db }: ReadModelDatabase,
  subscriptions: Subscriptions,
  onError: (error: unknown) => void = () => {},
): WebhookDeliveries => {
  const tables = db.withTables<ReadTables>();
  return {
    hold: (signal, work) =>
      withLock(tables, WEBHOOKS_LOCK, signal, (connection) =>
        work(heldDeliveries(connection, subscriptions, onError)),
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
    counts: async () => ({ pending: await count(tables, 'pending'), dead: await count(tables, 'dead') }),
    skip: (tenant, webhook, position, decided) => skip(tables, { tenant, webhook, position }, decided),
    replay: (tenant, webhook, position, at) => replay(tables, { tenant, webhook, position }, at),
  };
};

/** Maximum of counted deliveries per state. */
const COUNTED_MAX = 10_000;
const count = async (db: Kysely<ReadTables>, state: 'pending' | 'dead'): Promise<number> => {
  const { rows } = await sql<{ readonly count: number }>`select count(*)::integer as count from (
    select from webhook_delivery where state = ${sql.lit(state)} limit ${sql.lit(COUNTED_MAX)}) as counted`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
};

type Named = { readonly tenant: TenantId; readonly webhook: WebhookId; readonly position: LogPosition };
const isOne = ({ tenant, webhook, position }: Named) =>
  sql`tenant = ${tenant} and webhook = ${webhook} and position = ${position}`;
const notFound = ({ webhook, position }: Named): AppError =>
  new AppError('delivery-not-found', `webhook ${webhook} has no delivery ${position}`);

const skip = async (
  db: Kysely<ReadTables>,
  named: Named,
  decided: () => Promise<void>,
): Promise<WebhookDelivery> => {
  const notPending = new AppError(
    'delivery-not-pending',
    `delivery ${named.position} of ${named.webhook} does not wait any more`,
  );
  const { rows } = await sql<{ readonly state: string }>`
    select state from webhook_delivery where ${isOne(named)}`.execute(db);
  if (!rows[0]) throw notFound(named);
  if (rows[0].state !== 'pending') throw notPending;
  await decided();
  const given = await sql<DeliveryRow>`update webhook_delivery as d
    set state = 'dead', last_outcome = 'skipped', attempts = attempts + 1, last_tried_at = now()
    where ${isOne(named)} and state = 'pending' returning ${DELIVERY_COLUMNS}`.execute(db);
  if (given.rows[0]) return deliveryOf(given.rows[0]);
  throw notPending; // It was delivered while it was decided.
};

const replay = async (db: Kysely<ReadTables>, named: Named, at: IsoTime): Promise<WebhookDelivery> => {
  const one = isOne(named);
  const { rows } = await sql<DeliveryRow>`update webhook_delivery as d
    set state = 'pending', attempts = 0, next_at = ${at}::timestamptz
    where ${one} and state = 'dead' returning ${DELIVERY_COLUMNS}`.execute(db);
  if (rows[0]) return deliveryOf(rows[0]);
  const known = await sql`select from webhook_delivery where ${one}`.execute(db);
  if (known.rows.length === 0) throw notFound(named);
  throw new AppError('delivery-not-dead', `delivery ${named.position} of ${named.webhook} is no dead letter`);
};
