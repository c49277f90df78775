import { type LogPosition, sessionOf, tenantOf } from '@app/kernel';
import type { StoredRecord } from '@app/ports';
import { hashOfLeaf, leafOfEvent, streamSalt } from '@app/proof';
import { base64 } from '@app/tlog';
import { type Kysely, sql } from 'kysely';
import { durably } from '../content-keys/tenant-keys.js';
import type { ReadModelTables } from '../tables.js';
import { appendEntries, type LogSettings, lockLog, type NewEntry, type Trx } from './append-leaves.js';
import type { LogSecretStore } from './log-secrets.js';

/** Locked until the transaction ends. */
const lockPosition = async (trx: Trx): Promise<LogPosition | 'start'> => {
  const { rows } = await sql<{ readonly position: LogPosition | null }>`
    select position from transparency.position for update`.execute(trx);
  return rows[0]?.position ?? 'start';
};

export const readPosition = async (db: Kysely<ReadModelTables>): Promise<LogPosition | 'start'> => {
  const { rows } = await sql<{ readonly position: LogPosition | null }>`
    select position from transparency.position`.execute(db);
  return rows[0]?.position ?? 'start';
};

/**
 * Adds the leaves of events to the logs of their tenants and signs the new heads, with the position in one transaction, so that
 * a crash loses and repeats nothing, and a published head is never forgotten. Returns `overtaken` if another process has moved the position.
 */
export const appendEvents = (
  db: Kysely<ReadModelTables>,
  records: readonly StoredRecord[],
  move: { readonly from: LogPosition | 'start'; readonly to: LogPosition },
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<'done' | 'overtaken'> =>
  durably(db, async (trx) => {
    if ((await lockPosition(trx)) !== move.from) return 'overtaken';
    for (const [tenant, own] of byTenant(records)) await appendOf(trx, tenant, own, secrets, settings);
    await sql`update transparency.position set position = ${move.to}`.execute(trx);
    return 'done';
  });

/** In the order of the tenants' names, so that two writers cannot wait for each other. */
const byTenant = (
  records: readonly StoredRecord[],
): readonly (readonly [string, readonly StoredRecord[]])[] => {
  const found = new Map<string, StoredRecord[]>();
  for (const record of records) {
    const tenant = sessionOf(record.stream)?.tenant ?? tenantOf(record.stream);
    if (tenant === undefined) continue;
    const own = found.get(tenant);
    if (own) own.push(record);
    else found.set(tenant, [record]);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
};

const appendOf = async (
  trx: Trx,
  tenant: string,
  records: readonly StoredRecord[],
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<void> => {
  const log = await lockLog(trx, tenant, secrets, settings);
  const known = await knownLeaves(trx, tenant, records);
  const entries: NewEntry[] = [];
  const salts = new Map<string, string>();
  for (const record of records) {
    const { stream, revision } = record;
    // A log that was copied to another server has its events at other positions.
    if (known.has(keyOf(stream, revision))) continue;
    const salt = salts.get(stream) ?? streamSalt(log.blinding, stream);
    salts.set(stream, salt);
    const before = known.get(keyOf(stream, revision - 1));
    const previous = before === undefined ? undefined : base64(hashOfLeaf(before));
    const text = leafOfEvent(record, { stream, salt, previous });
    known.set(keyOf(stream, revision), text);
    entries.push({ text, event: { stream, revision } });
  }
  if (entries.length > 0) await appendEntries(trx, log, entries);
};

const keyOf = (stream: string, revision: number): string => `${revision} ${stream}`;

/** Returns the leaves of these events and of those before them, as far as the log has them. */
const knownLeaves = async (
  trx: Trx,
  tenant: string,
  records: readonly StoredRecord[],
): Promise<Map<string, string>> => {
  const wanted = new Map<string, { readonly stream: string; readonly revision: number }>();
  for (const { stream, revision } of records)
    for (const one of [revision - 1, revision]) wanted.set(keyOf(stream, one), { stream, revision: one });
  const places = [...wanted.values()];
  const { rows } = await sql<{ readonly stream: string; readonly revision: bigint; readonly entry: string }>`
    select e.stream, e.revision, e.entry from transparency.entry as e
    join unnest(${places.map(({ stream }) => stream)}::text[], ${places.map(({ revision }) => revision)}::bigint[])
      as wanted (stream, revision) on e.stream = wanted.stream and e.revision = wanted.revision
    where e.tenant = ${tenant}`.execute(trx);
  return new Map(rows.map(({ stream, revision, entry }) => [keyOf(stream, Number(revision)), entry]));
};
