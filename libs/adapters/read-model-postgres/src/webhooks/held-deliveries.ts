import { AppError, type LogPosition } from '@app/kernel';
import type { DueDelivery, HeldDeliveries, Subscriptions, TriedDelivery } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import { type LogPart, readBatches, type Source } from '../log/read-batches.js';
import type { ReadTables } from '../rows/read-tables.js';
import { concerns, fanOut, readCheckpoint, readTargets, type Targets, upToFirst } from './fan-out.js';
import { DELIVERY_COLUMNS, type DeliveryRow, deliveryOf } from './rows.js';

type Connection = Kysely<ReadTables>;

const EVENTS_MAX = 500;
/** Held deliveries read for one webhook at a time. */
const HEADS_A_WEBHOOK = 16;
const HEADS_MAX = 1_000;
/** Milliseconds after which the log position is stored while no event has to be sent. */
const NOTE_EVERY_MS = 1_000;
/** Parts of the log between two purges of old deliveries. */
const PARTS_A_PURGE = 500;

/** Deliveries on the connection that holds the lock: if it breaks, another process may hold them, and writes fail. */
export const heldDeliveries = (
  connection: Connection,
  subscriptions: Subscriptions,
  onError: (error: unknown) => void,
): HeldDeliveries => ({
  follow: (signal, written) => new Following(connection, subscriptions, { written, onError }).run(signal),
  heads: () => heads(connection),
  settle: (tried) => settle(connection, tried),
});

/** Follows the log for webhooks; without any, only streams in which a webhook can be registered. */
class Following {
  /** The position up to which the log was read. */
  private at: LogPosition | 'start' = 'start';
  private noted: LogPosition | 'start' = 'start';
  private notedAt = Number.NEGATIVE_INFINITY;
  private parts = 0;

  constructor(
    private readonly connection: Connection,
    private readonly subscriptions: Subscriptions,
    private readonly listener: { readonly written: () => void; readonly onError: (error: unknown) => void },
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    this.at = await readCheckpoint(this.connection);
    this.noted = this.at;
    const targets = await readTargets(this.connection);
    while (!signal.aborted) {
      const areSent = targets.size > 0;
      const isChanged = (): boolean => targets.size > 0 !== areSent;
      for await (const part of readBatches(this.source(areSent), this.at, signal, () => EVENTS_MAX)) {
        const { position, unreadable } = part;
        if (position === undefined) continue;
        if (unreadable) this.listener.onError(unreadable.error);
        // Events after the first webhook are read again, because other streams now matter.
        await this.take(areSent ? { ...part, position } : upToFirst({ ...part, position }), targets);
        if (isChanged()) break;
      }
      if (!signal.aborted && !isChanged())
        throw new AppError('event-store-unavailable', 'the log ended the subscription');
    }
  }

  private source(areSent: boolean): Source {
    return (after, signal) =>
      areSent
        ? this.subscriptions.catchUpAll(after, signal)
        : this.subscriptions.catchUpTenants(after, signal);
  }

  private async take(part: LogPart, targets: Targets): Promise<void> {
    this.at = part.position;
    const hasNews = concerns(part, targets);
    // Without webhooks the position is stored rarely: rereading after a crash has no effect.
    if (!hasNews && performance.now() - this.notedAt < NOTE_EVERY_MS) return;
    if ((await fanOut(this.connection, this.noted, part, targets)) === 'overtaken')
      throw new AppError('concurrency-conflict', 'another process sends webhooks as well');
    this.noted = part.position;
    this.notedAt = performance.now();
    if (this.parts % PARTS_A_PURGE === 0) await purge(this.connection);
    this.parts += 1;
    if (hasNews) this.listener.written();
  }
}

/** Costs as much as there are webhooks that wait. Tenants alternate, so that one tenant cannot fill the result. */
const heads = async (connection: Connection): Promise<readonly DueDelivery[]> => {
  const { rows } = await sql<DeliveryRow & { readonly url: string; readonly content: 'none' | 'full' }>`
    with recursive waiting as (
      (select webhook from webhook_queue order by webhook limit 1)
      union all
      select n.webhook from waiting as w cross join lateral (
        select webhook from webhook_queue where webhook > w.webhook order by webhook limit 1
      ) as n
    ), head as (
      select n.* from waiting as w cross join lateral (
        select webhook, position, next_at from webhook_queue where webhook = w.webhook
        order by next_at, position limit ${HEADS_A_WEBHOOK}
      ) as n
    ), by_tenant as (
      select head.*, w.url, w.content, row_number() over (partition by w.tenant order by next_at, position) as tenant_rank
      from head join webhook as w using (webhook)
    ), chosen as (
      select * from by_tenant order by tenant_rank, next_at, position limit ${HEADS_MAX}
    )
    select ${DELIVERY_COLUMNS}, c.url, c.content from chosen as c join webhook_delivery as d using (webhook, position)
    where d.state = 'pending' order by c.tenant_rank, c.next_at, c.position`.execute(connection);
  return rows.map((row) => ({ ...deliveryOf(row), url: row.url, content: row.content }));
};

const purge = async (connection: Connection): Promise<void> => {
  await sql`delete from webhook_delivery
    where state = 'delivered' and last_tried_at < now() - interval '7 days'`.execute(connection);
};

/**
 * Never waits for a row: the removal of a webhook locks its deliveries in another order. What another transaction has
 * locked is sent again, unless that removes or skips it.
 */
const settle = async (connection: Connection, tried: readonly TriedDelivery[]): Promise<void> => {
  const deliveries = tried.map(({ delivery }) => delivery);
  const results = tried.map(({ result }) => result);
  await sql`update webhook_delivery as d set state = t.state, attempts = d.attempts + 1, next_at = t.next_at,
      last_outcome = t.outcome, last_tried_at = t.tried_at
    from (
      select t.* from unnest(${deliveries.map(({ webhook }) => webhook)}::text[],
          ${deliveries.map(({ position }) => position)}::bigint[],
          ${deliveries.map(({ attempts }) => attempts)}::integer[], ${results.map(({ state }) => state)}::text[],
          ${results.map(({ outcome }) => outcome)}::text[], ${results.map(({ triedAt }) => triedAt)}::timestamptz[],
          ${results.map(({ nextAt }) => nextAt)}::timestamptz[])
          as t (webhook, position, attempts, state, outcome, tried_at, next_at)
        join webhook_delivery as p using (webhook, position)
        where p.state = 'pending' and p.attempts = t.attempts for update of p skip locked
    ) as t
    where d.webhook = t.webhook and d.position = t.position`.execute(connection);
};
