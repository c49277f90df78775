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
  const known = await knownLeaves(trx, records);
  const growths = [...records].flatMap(([tenant, own]): readonly Growth[] => {
    const log = logs.get(tenant);
    const entries = log ? newEntries(log, own, known) : [];
    return log && entries.length > 0 ? [{ log, entries }] : [];
  });
  if (growths.length > 0) await appendEntries(trx, growths);
};

/** @param known gets the new leaves, too. */
const newEntries = (
  { blinding }: LockedLog,
  records: readonly StoredRecord[],
  known: Map<string, string>,
): readonly NewEntry[] => {
  const entries: NewEntry[] = [];
  const salts = new Map<string, string>();
  for (const record of records) {
    const { stream, revision } = record;
    // A log that was copied to another server has its events at other positions.
    if (known.has(keyOf(stream, revision))) continue;
    const salt = salts.get(stream) ?? streamSalt(blinding, stream);
    salts.set(stream, salt);
    const previous = known.get(keyOf(stream, revision - 1));
    const before = previous === undefined ? CHAIN_START : chainIn(previous);
    const text = leafOfEvent(record, { stream, salt, before });
    known.set(keyOf(stream, revision), text);
    entries.push({ text, event: { stream, revision } });
  }
  return entries;
};

/** The name of a stream contains that of its tenant. */
const keyOf = (stream: string, revision: number): string => `${revision} ${stream}`;

/** Returns the leaves of these events and of those before them, as far as the logs have them. */
const knownLeaves = async (trx: Trx, records: OfTenants): Promise<Map<string, string>> => {
  const wanted = new Map<
    string,
    { readonly tenant: string; readonly stream: string; readonly revision: number }
  >();
  for (const [tenant, own] of records)
    for (const { stream, revision } of own)
      for (const one of [revision - 1, revision])
        wanted.set(keyOf(stream, one), { tenant, stream, revision: one });
  const places = [...wanted.values()];
  const { rows } = await sql<{ readonly stream: string; readonly revision: bigint; readonly entry: string }>`
    select e.stream, e.revision, e.entry from transparency.entry as e
    join unnest(${places.map(({ tenant }) => tenant)}::text[], ${places.map(({ stream }) => stream)}::text[],
      ${places.map(({ revision }) => revision)}::bigint[]) as wanted (tenant, stream, revision)
      on e.tenant = wanted.tenant and e.stream = wanted.stream and e.revision = wanted.revision`.execute(trx);
  return new Map(rows.map(({ stream, revision, entry }) => [keyOf(stream, Number(revision)), entry]));
};
