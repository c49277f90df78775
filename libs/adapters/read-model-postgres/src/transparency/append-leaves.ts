import { randomBytes } from 'node:crypto';
import { formatLogEntry, hashOfLeaf } from '@app/proof';
import {
  cosign,
  decodeTile,
  edgeTiles,
  encodeTile,
  formatCheckpoint,
  formatNote,
  formatSignerKey,
  formatVerifierKey,
  grownTiles,
  type HashTile,
  hashesInTiles,
  type Policy,
  rangeRoot,
  type SignerKey,
  signText,
  type TilePlace,
} from '@app/tlog';
import { sql, type Transaction } from 'kysely';
import type { ReadModelTables } from '../tables.js';
import { type LogSecretStore, newBlinding, newSecondSigner, newSigner } from './log-secrets.js';

export type Trx = Transaction<ReadModelTables>;

/** Settings for the signatures of logs. */
export type LogSettings = {
  /** Lines of a tlog-policy for witnesses, groups and the quorum, and their parsed form. */
  readonly witnessPolicy: string;
  readonly policy: Policy;
  /** Whether checkpoints carry a second signature, by ML-DSA-44. */
  readonly secondSignature: boolean;
};

/** An entry to add, and the event that it is the leaf of. */
export type NewEntry = {
  readonly text: string;
  readonly event?: { readonly stream: string; readonly revision: number };
};

/** A log whose row is locked until the transaction ends. */
export type LockedLog = {
  readonly tenant: string;
  readonly origin: string;
  readonly size: number;
  readonly signers: readonly SignerKey[];
  readonly blinding: Uint8Array;
};

/** Locks the log of a tenant, which is created with its first entry where there is none. */
export const lockLog = async (
  trx: Trx,
  tenant: string,
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<LockedLog> => {
  const log = (await lockLogs(trx, [tenant], secrets, settings)).get(tenant);
  if (!log) throw new Error(`the log of ${tenant} was not created`);
  return log;
};

/**
 * Locks the logs of tenants, of which those that do not exist are created. In the order of their names, so that two writers
 * cannot wait for each other.
 */
export const lockLogs = async (
  trx: Trx,
  tenants: readonly string[],
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<ReadonlyMap<string, LockedLog>> => {
  const locked = new Map(await lockedLogs(trx, tenants, secrets));
  for (const tenant of tenants.filter((one) => !locked.has(one)).sort())
    locked.set(tenant, await createLog(trx, tenant, secrets, settings));
  return locked;
};

const createLog = async (
  trx: Trx,
  tenant: string,
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<LockedLog> => {
  const origin = `palimpsest-${randomBytes(4).toString('hex')}/${tenant}`;
  const signers = [newSigner(origin), ...(settings.secondSignature ? [newSecondSigner(origin)] : [])];
  const [signer, second] = signers;
  const { numAffectedRows } = await sql`
    insert into transparency.log (tenant, origin, size, checkpoint) values (${tenant}, ${origin}, 0, '')
    on conflict (tenant) do nothing`.execute(trx);
  const lockedLog = async () => (await lockedLogs(trx, [tenant], secrets)).get(tenant);
  // Another process may have created it in the meantime; its keys stay.
  const theirs = numAffectedRows === 0n ? await lockedLog() : undefined;
  if (theirs) return theirs;
  if (signer) await secrets.put(trx, tenant, 'signer', formatSignerKey(signer));
  if (second) await secrets.put(trx, tenant, 'second', formatSignerKey(second));
  await secrets.put(trx, tenant, 'blinding', newBlinding());
  const created = await lockedLog();
  if (!created) throw new Error(`the log of ${tenant} was created without keys`);
  const text = formatLogEntry({ kind: 'log', policy: policyOf(created, settings) });
  await appendEntries(trx, [{ log: created, entries: [{ text }] }]);
  return { ...created, size: created.size + 1 };
};

/** Returns the policy that the log itself publishes. */
const policyOf = (
  { signers }: Pick<LockedLog, 'signers'>,
  { witnessPolicy }: Pick<LogSettings, 'witnessPolicy'>,
): string => `${signers.map((key) => `log ${formatVerifierKey(key)}\n`).join('')}${witnessPolicy}`;

/** Returns the logs that exist with their keys. */
const lockedLogs = async (
  trx: Trx,
  tenants: readonly string[],
  secrets: LogSecretStore,
): Promise<ReadonlyMap<string, LockedLog>> => {
  const { rows } = await sql<{ readonly tenant: string; readonly origin: string; readonly size: bigint }>`
    select tenant, origin, size from transparency.log where tenant = any(${tenants}::text[])
    order by tenant for update`.execute(trx);
  // After the lock: a rotation that it has waited for has replaced keys.
  const own = await secrets.of(trx, tenants);
  return new Map(
    rows.flatMap(({ tenant, origin, size }): readonly [string, LockedLog][] => {
      const keys = own.get(tenant);
      if (!keys) return [];
      const { signer, second, blinding } = keys;
      const signers = [signer, ...(second ? [second] : [])];
      return [[tenant, { tenant, origin, size: Number(size), signers, blinding }]];
    }),
  );
};

/** Entries to add to a locked log, and keys that sign its new head beside its own. */
export type Growth = {
  readonly log: LockedLog;
  readonly entries: readonly NewEntry[];
  readonly more?: readonly SignerKey[];
};

/** Adds entries to locked logs and signs the new heads, with as many statements for one log as for a thousand. */
export const appendEntries = async (trx: Trx, growths: readonly Growth[]): Promise<void> => {
  const edges = await readTilesOf(
    trx,
    growths.flatMap(({ log: { tenant, size } }) => edgeTiles(size).map((place) => ({ ...place, tenant }))),
  );
  const grown = growths.map(({ log: { tenant, origin, size: before, signers }, entries, more = [] }) => {
    const edge = edges.get(tenant) ?? [];
    const size = before + entries.length;
    const tiles = grownTiles(
      before,
      edge,
      entries.map(({ text }) => hashOfLeaf(text)),
    );
    const root = rangeRoot({ from: 0, to: size }, hashesInTiles([...edge, ...tiles]));
    const checkpoint = signedCheckpoint(formatCheckpoint({ origin, size, root }), [...signers, ...more]);
    return { tenant, before, entries, size, tiles, checkpoint, isKept: more.length > 0 };
  });
  await writeTiles(
    trx,
    grown.flatMap(({ tenant, tiles }) => tiles.map((tile) => ({ tenant, tile }))),
  );
  await writeEntries(
    trx,
    grown.flatMap(({ tenant, before, entries }) =>
      entries.map((entry, at) => ({ tenant, index: before + at, ...entry })),
    ),
  );
  await writeHeads(trx, grown);
  for (const { tenant, size, checkpoint } of grown.filter(({ isKept }) => isKept))
    await sql`insert into transparency.kept_head (tenant, size, checkpoint)
      values (${tenant}, ${size}, ${checkpoint})`.execute(trx);
};

const signedCheckpoint = (text: string, keys: readonly SignerKey[]): string =>
  formatNote({
    text,
    signatures: keys.map((key) =>
      key.type === 'ed25519' ? signText(text, key) : cosign(text, key, Math.floor(Date.now() / 1_000)),
    ),
  });

type LevelPlace = TilePlace & { readonly level: number };

/** Reads tiles of hashes; those of a later, wider tree are cut to the width that is asked for. */
export const readTiles = async (
  db: Trx | ReadDb,
  tenant: string,
  places: readonly LevelPlace[],
): Promise<readonly HashTile[]> => {
  const wanted = places.map((place) => ({ ...place, tenant }));
  return (await readTilesOf(db, wanted)).get(tenant) ?? [];
};
type ReadDb = Parameters<ReturnType<typeof sql>['execute']>[0];
const HASH_BYTES = 32;

/** Returns tiles by tenant, in the order in which they are asked for. */
const readTilesOf = async (
  db: Trx | ReadDb,
  wanted: readonly (LevelPlace & { readonly tenant: string })[],
): Promise<ReadonlyMap<string, readonly HashTile[]>> => {
  const tiles = new Map<string, HashTile[]>();
  if (wanted.length === 0) return tiles;
  const { rows } = await sql<{ readonly at: bigint; readonly hashes: Buffer }>`
    select wanted.at, t.hashes from transparency.tile as t
    join unnest(${wanted.map(({ tenant }) => tenant)}::text[], ${wanted.map(({ level }) => level)}::integer[],
      ${wanted.map(({ index }) => index)}::bigint[]) with ordinality as wanted (tenant, level, index, at)
      on t.tenant = wanted.tenant and t.level = wanted.level and t.index = wanted.index
    order by wanted.at`.execute(db);
  for (const { at, hashes } of rows) {
    const place = wanted[Number(at) - 1];
    if (!place) continue;
    const { tenant, ...rest } = place;
    const own = tiles.get(tenant) ?? [];
    own.push(decodeTile(rest, hashes.subarray(0, rest.width * HASH_BYTES)));
    tiles.set(tenant, own);
  }
  return tiles;
};

const writeTiles = async (
  trx: Trx,
  tiles: readonly { readonly tenant: string; readonly tile: HashTile }[],
): Promise<void> => {
  await sql`insert into transparency.tile (tenant, level, index, hashes)
    select t.tenant, t.level, t.index, t.hashes
    from unnest(${tiles.map(({ tenant }) => tenant)}::text[], ${tiles.map(({ tile }) => tile.level)}::integer[],
      ${tiles.map(({ tile }) => tile.index)}::bigint[],
      ${tiles.map(({ tile }) => Buffer.from(encodeTile(tile)))}::bytea[]) as t (tenant, level, index, hashes)
    on conflict (tenant, level, index) do update set hashes = excluded.hashes`.execute(trx);
};

const writeEntries = async (
  trx: Trx,
  entries: readonly (NewEntry & { readonly tenant: string; readonly index: number })[],
): Promise<void> => {
  await sql`insert into transparency.entry (tenant, index, entry, stream, revision)
    select * from unnest(${entries.map(({ tenant }) => tenant)}::text[], ${entries.map(({ index }) => index)}::bigint[],
      ${entries.map(({ text }) => text)}::text[], ${entries.map(({ event }) => event?.stream ?? null)}::text[],
      ${entries.map(({ event }) => event?.revision ?? null)}::bigint[])`.execute(trx);
};

type Head = { readonly tenant: string; readonly size: number; readonly checkpoint: string };

const writeHeads = async (trx: Trx, heads: readonly Head[]): Promise<void> => {
  await sql`update transparency.log set size = head.size, checkpoint = head.checkpoint
    from unnest(${heads.map(({ tenant }) => tenant)}::text[], ${heads.map(({ size }) => size)}::bigint[],
      ${heads.map(({ checkpoint }) => checkpoint)}::text[]) as head (tenant, size, checkpoint)
    where log.tenant = head.tenant`.execute(trx);
};
