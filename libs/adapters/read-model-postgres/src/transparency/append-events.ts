import { type LogPosition, sessionOf, tenantOf } from '@app/kernel';
import type { StoredRecord } from '@app/ports';
import { CHAIN_START, chainIn, leafOfEvent, streamSalt } from '@app/proof';
import { type Kysely, sql } from 'kysely';
import { durably } from '../content-keys/tenant-keys.js';
import type { ReadModelTables } from '../tables.js';
import {
  appendEntries,
  type Growth,
  type LockedLog,
  type LogSettings,
  lockLogs,
  type NewEntry,
  type Trx,
} from './append-leaves.js';
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
    await appendLeaves(trx, byTenant(records), secrets, settings);
    await sql`update transparency.position set position = ${move.to}`.execute(trx);
    return 'done';
  });

type OfTenants = ReadonlyMap<string, readonly StoredRecord[]>;

const byTenant = (records: readonly StoredRecord[]): OfTenants => {
  const found = new Map<string, StoredRecord[]>();
  for (const record of records) {
    const tenant = sessionOf(record.stream)?.tenant ?? tenantOf(record.stream);
    if (tenant === undefined) continue;
    const own = found.get(tenant);
    if (own) own.push(record);
    else found.set(tenant, [record]);
  }
  return found;
};

const appendLeaves = async (
  trx: Trx,
  records: OfTenants,
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<void> => {
  if (records.size === 0) return;
  const logs = await lockLogs(trx, [...records.keys()], secrets, settings);
  const newest = await newestLeaves(trx, records);
  const growths = [...records].flatMap(([tenant, own]): readonly Growth[] => {
    const log = logs.get(tenant);
    const entries = log ? newEntries(log, own, newest) : [];
    return log && entries.length > 0 ? [{ log, entries }] : [];
  });
  if (growths.length > 0) await appendEntries(trx, growths);
};

/** @param newest leaves of the streams so far, which become the new ones. */
const newEntries = (
  { blinding }: LockedLog,
  records: readonly StoredRecord[],
  newest: Map<string, Leaf>,
): readonly NewEntry[] => {
  const entries: NewEntry[] = [];
  const salts = new Map<string, string>();
  for (const record of records) {
    const { stream, revision } = record;
    const last = newest.get(stream);
    // A log that was copied to another server has its events at other positions.
    if (last && revision <= last.revision) continue;
    const salt = salts.get(stream) ?? streamSalt(blinding, stream);
    salts.set(stream, salt);
    const before = last?.revision === revision - 1 ? chainIn(last.text) : CHAIN_START;
    const text = leafOfEvent(record, { stream, salt, before });
    newest.set(stream, { revision, text });
    entries.push({ text, event: { stream, revision } });
  }
  return entries;
};

type Leaf = { readonly revision: number; readonly text: string };

/** Returns the newest leaves of the streams of events, as far as the logs have some. The name of a stream contains that of its tenant. */
const newestLeaves = async (trx: Trx, records: OfTenants): Promise<Map<string, Leaf>> => {
  const streams = new Map<string, string>();
  for (const [tenant, own] of records) for (const { stream } of own) streams.set(stream, tenant);
  const { rows } = await sql<{ readonly stream: string; readonly revision: bigint; readonly entry: string }>`
    select wanted.stream, newest.revision, newest.entry
    from unnest(${[...streams.values()]}::text[], ${[...streams.keys()]}::text[]) as wanted (tenant, stream)
    cross join lateral (
      select e.revision, e.entry from transparency.entry as e
      where e.tenant = wanted.tenant and e.stream = wanted.stream order by e.revision desc limit 1
    ) as newest`.execute(trx);
  return new Map(
    rows.map(({ stream, revision, entry }) => [stream, { revision: Number(revision), text: entry }]),
  );
};
