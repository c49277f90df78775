import { sessionEventTypes, type WebhookFacts } from '@app/domain';
import { type LogPosition, sessionOf, tenantOf } from '@app/kernel';
import type { RecordedInLog, StoredEvent, UnreadableEvent } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { LogPart } from '../log/read-batches.js';
import type { ReadTables } from '../rows/read-tables.js';
import { RESTORED } from './hold-restored.js';

type Target = {
  readonly webhook: string;
  readonly tenant: string;
  readonly url: string;
  readonly content: string;
  readonly types: readonly string[];
  readonly sessions: readonly string[];
};
type NewDelivery = {
  readonly webhook: string;
  readonly position: string;
  readonly tenant: string;
  readonly session: string;
  readonly revision: number;
  readonly type: string;
};

/** Webhooks by tenant and ID, as of a log position. Tenants without any are left out. */
export type Targets = Map<string, Map<string, Target>>;

export const readTargets = async (connection: Kysely<ReadTables>): Promise<Targets> => {
  const { rows } =
    await sql<Target>`select webhook, tenant, url, content, types, sessions from webhook`.execute(connection);
  const targets: Targets = new Map();
  for (const row of rows) add(targets, row);
  return targets;
};

const add = (targets: Targets, target: Target): void => {
  const ofTenant = targets.get(target.tenant) ?? new Map<string, Target>();
  targets.set(target.tenant, ofTenant.set(target.webhook, target));
};

/** Whether there is anything to write down: a webhook that is changed, or something to send. */
export const concerns = ({ events, unreadable }: LogPart, targets: Targets): boolean =>
  events.some((one) => CHANGES.has(one.event.type) || deliveriesOf(placeOf(one), targets).length > 0) ||
  (unreadable !== undefined && deliveriesOf(unreadable, targets).length > 0);

/** Returns the part of the log before the first webhook is registered in it. */
export const upToFirst = (part: LogPart): LogPart => {
  const { events } = part;
  const first = events.findIndex(({ event: { type } }) => type !== 'WebhookRemoved' && CHANGES.has(type));
  const webhook = events[first];
  return webhook ? { events: events.slice(0, first + 1), position: webhook.position } : part;
};

/**
 * Stores the deliveries of a part of the log with its position, in one transaction. Webhooks are those registered
 * before each event. `targets` are those before the part, and are updated; undefined after a failure.
 * Returns `overtaken` if another process has moved the checkpoint.
 */
export const fanOut = (
  connection: Kysely<ReadTables>,
  believed: LogPosition | 'start',
  { events, unreadable, position }: LogPart,
  targets: Targets,
): Promise<'done' | 'overtaken'> =>
  connection.transaction().execute(async (trx) => {
    if ((await readCheckpoint(trx)) !== believed) return 'overtaken';
    const deliveries: NewDelivery[] = [];
    for (const recorded of events) {
      await change(trx, targets, recorded);
      deliveries.push(...deliveriesOf(placeOf(recorded), targets));
    }
    // An unreadable event is delivered like others: another version may read it at that time.
    if (unreadable) deliveries.push(...deliveriesOf(unreadable, targets));
    // A webhook that was removed further on in this part has no row that they could belong to.
    await insert(
      trx,
      deliveries.filter(({ tenant, webhook }) => targets.get(tenant)?.has(webhook)),
    );
    await sql`update webhook_checkpoint set position = ${position}`.execute(trx);
    return 'done';
  });

/** Locked until the transaction ends. */
export const readCheckpoint = async (trx: Kysely<ReadTables>): Promise<LogPosition | 'start'> => {
  const { rows } = await sql<{ position: LogPosition | null }>`
    select position from webhook_checkpoint for update`.execute(trx);
  return rows[0]?.position ?? 'start';
};

const CHANGES: ReadonlySet<string> = new Set(['WebhookRegistered', 'WebhookChanged', 'WebhookRemoved']);

const change = async (
  trx: Kysely<ReadTables>,
  targets: Targets,
  { stream, event }: RecordedInLog<StoredEvent>,
): Promise<void> => {
  const tenant = tenantOf(stream);
  if (tenant === undefined) return;
  switch (event.type) {
    case 'WebhookRegistered':
    case 'WebhookChanged': {
      const target = targetOf(tenant, event.data.webhook);
      add(targets, target);
      return write(trx, target);
    }
    case 'WebhookRemoved': {
      const { webhookId } = event.data;
      const ofTenant = targets.get(tenant);
      ofTenant?.delete(webhookId);
      if (ofTenant?.size === 0) targets.delete(tenant);
      await sql`delete from webhook_secret where webhook = ${webhookId}`.execute(trx);
      await sql`delete from webhook where webhook = ${webhookId}`.execute(trx);
      return;
    }
    default:
      return;
  }
};

const targetOf = (tenant: string, { webhookId, url, content, types, sessions }: WebhookFacts): Target => ({
  webhook: webhookId,
  tenant,
  url,
  content,
  types,
  sessions,
});

const write = async (
  trx: Kysely<ReadTables>,
  { webhook, tenant, url, content, types, sessions }: Target,
): Promise<void> => {
  await sql`insert into webhook (webhook, tenant, url, content, types, sessions)
    values (${webhook}, ${tenant}, ${url}, ${content}, ${[...types]}::text[], ${[...sessions]}::text[])
    on conflict (webhook) do update set url = excluded.url, content = excluded.content,
      types = excluded.types, sessions = excluded.sessions`.execute(trx);
};

const SESSION_TYPES: ReadonlySet<string> = new Set(sessionEventTypes());

const placeOf = (recorded: RecordedInLog<StoredEvent>): Place => ({ ...recorded, type: recorded.event.type });

type Place = Omit<UnreadableEvent, 'error'>;
const deliveriesOf = (
  { stream, type, position, revision }: Place,
  targets: Targets,
): readonly NewDelivery[] => {
  const of = SESSION_TYPES.has(type) ? sessionOf(stream) : undefined;
  if (!of) return [];
  const { tenant, session } = of;
  return [...(targets.get(tenant)?.values() ?? [])]
    .filter(({ types }) => types.length === 0 || types.includes(type))
    .filter(({ sessions }) => sessions.length === 0 || sessions.includes(session))
    .map(({ webhook }) => ({ webhook, position: String(position), tenant, session, revision, type }));
};

/** One parameter for all rows of a part. */
const insert = async (trx: Kysely<ReadTables>, deliveries: readonly NewDelivery[]): Promise<void> => {
  if (deliveries.length === 0) return;
  await sql`insert into webhook_delivery (webhook, position, tenant, session, revision, type, next_at, state, last_outcome)
    select d.webhook, d.position, d.tenant, d.session, d.revision, d.type, now(),
      case when d.position <= restored_to then 'dead' else 'pending' end,
      case when d.position <= restored_to then ${RESTORED} end
    from webhook_checkpoint cross join jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
      as d(webhook text, position bigint, tenant text, session text, revision bigint, type text)
    on conflict (webhook, position) do nothing`.execute(trx);
};
