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
  const found = await lockedLog(trx, tenant, secrets);
  if (found) return found;
  const origin = `palimpsest-${randomBytes(4).toString('hex')}/${tenant}`;
  const signers = [newSigner(origin), ...(settings.secondSignature ? [newSecondSigner(origin)] : [])];
  const [signer, second] = signers;
  const { numAffectedRows } = await sql`
    insert into transparency.log (tenant, origin, size, checkpoint) values (${tenant}, ${origin}, 0, '')
    on conflict (tenant) do nothing`.execute(trx);
  // Another process may have created it in the meantime; its keys stay.
  const theirs = numAffectedRows === 0n ? await lockedLog(trx, tenant, secrets) : undefined;
  if (theirs) return theirs;
  if (signer) await secrets.put(trx, tenant, 'signer', formatSignerKey(signer));
  if (second) await secrets.put(trx, tenant, 'second', formatSignerKey(second));
  await secrets.put(trx, tenant, 'blinding', newBlinding());
  const created = await lockedLog(trx, tenant, secrets);
  if (!created) throw new Error(`the log of ${tenant} was created without keys`);
  const text = formatLogEntry({ kind: 'log', policy: policyOf(created, settings) });
  return appendEntries(trx, created, [{ text }]);
};

/** Returns the policy that the log itself publishes. */
const policyOf = (
  { signers }: Pick<LockedLog, 'signers'>,
  { witnessPolicy }: Pick<LogSettings, 'witnessPolicy'>,
): string => `${signers.map((key) => `log ${formatVerifierKey(key)}\n`).join('')}${witnessPolicy}`;

const lockedLog = async (
  trx: Trx,
  tenant: string,
  secrets: LogSecretStore,
): Promise<LockedLog | undefined> => {
  const { rows } = await sql<{ readonly origin: string; readonly size: bigint }>`
    select origin, size from transparency.log where tenant = ${tenant} for update`.execute(trx);
  const [row] = rows;
  const own = row && (await secrets.of(trx, tenant));
  if (!own) return undefined;
  const { signer, second, blinding } = own;
  const signers = [signer, ...(second ? [second] : [])];
  return { tenant, origin: row.origin, size: Number(row.size), signers, blinding };
};

/** Adds entries to a locked log and signs its new head, also with `more` keys. */
export const appendEntries = async (
  trx: Trx,
  log: LockedLog,
  entries: readonly NewEntry[],
  more: readonly SignerKey[] = [],
): Promise<LockedLog> => {
  const { tenant, origin, size: before, signers } = log;
  const size = before + entries.length;
  const edge = await readTiles(trx, tenant, edgeTiles(before));
  const grown = grownTiles(
    before,
    edge,
    entries.map(({ text }) => hashOfLeaf(text)),
  );
  await writeTiles(trx, tenant, grown);
  await writeEntries(trx, tenant, before, entries);
  const root = rangeRoot({ from: 0, to: size }, hashesInTiles([...edge, ...grown]));
  const checkpoint = signedCheckpoint(formatCheckpoint({ origin, size, root }), [...signers, ...more]);
  await sql`update transparency.log set size = ${size}, checkpoint = ${checkpoint}
    where tenant = ${tenant}`.execute(trx);
  if (more.length > 0)
    await sql`insert into transparency.kept_head (tenant, size, checkpoint)
      values (${tenant}, ${size}, ${checkpoint})`.execute(trx);
  return { ...log, size };
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
  if (places.length === 0) return [];
  const { rows } = await sql<{ readonly level: number; readonly index: bigint; readonly hashes: Buffer }>`
    select t.level, t.index, t.hashes from transparency.tile as t
    join unnest(${places.map(({ level }) => level)}::integer[], ${places.map(({ index }) => index)}::bigint[])
      as wanted (level, index) on t.level = wanted.level and t.index = wanted.index
    where t.tenant = ${tenant}`.execute(db);
  const found = new Map(rows.map(({ level, index, hashes }) => [`${level}/${index}`, hashes]));
  return places.flatMap((place) => {
    const hashes = found.get(`${place.level}/${place.index}`);
    return hashes ? [decodeTile(place, hashes.subarray(0, place.width * HASH_BYTES))] : [];
  });
};
type ReadDb = Parameters<ReturnType<typeof sql>['execute']>[0];
const HASH_BYTES = 32;

const writeTiles = async (trx: Trx, tenant: string, tiles: readonly HashTile[]): Promise<void> => {
  await sql`insert into transparency.tile (tenant, level, index, hashes)
    select ${tenant}, t.level, t.index, t.hashes
    from unnest(${tiles.map(({ level }) => level)}::integer[], ${tiles.map(({ index }) => index)}::bigint[],
      ${tiles.map((tile) => Buffer.from(encodeTile(tile)))}::bytea[]) as t (level, index, hashes)
    on conflict (tenant, level, index) do update set hashes = excluded.hashes`.execute(trx);
};

const writeEntries = async (
  trx: Trx,
  tenant: string,
  from: number,
  entries: readonly NewEntry[],
): Promise<void> => {
  await sql`insert into transparency.entry (tenant, index, entry, stream, revision)
    select ${tenant}, ${from} + e.at - 1, e.entry, e.stream, e.revision
    from unnest(${entries.map(({ text }) => text)}::text[], ${entries.map(({ event }) => event?.stream ?? null)}::text[],
      ${entries.map(({ event }) => event?.revision ?? null)}::bigint[])
      with ordinality as e (entry, stream, revision, at)`.execute(trx);
};
