import { AppError, IsoTime, type LogPosition, type StreamName, TenantId } from '@app/kernel';
import type {
  LogEntryAt,
  LogHead,
  LogSnapshot,
  LogWitnesses,
  PlacedEntry,
  SecretBox,
  TransparencyLogs,
  WitnessLag,
} from '@app/ports';
import { formatLogEntry, proofsInTiles, streamSalt } from '@app/proof';
import {
  encodeBundle,
  encodeTile,
  formatNote,
  formatSignerKey,
  formatVerifierKey,
  hasQuorum,
  parseTilePath,
  signText,
  TILE_WIDTH,
} from '@app/tlog';
import { type Kysely, sql } from 'kysely';
import { durably } from '../content-keys/tenant-keys.js';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';
import { appendEntries, type LogSettings, lockLog, readTiles } from './append-leaves.js';
import { readCosignedHeads, witnessNames } from './cosigned-heads.js';
import { LogSecretStore, newSecondSigner, newSigner } from './log-secrets.js';

/**
 * Opens the transparency logs of a migrated database.
 *
 * @param box opens the keys of logs with the key of the installation.
 */
export const openTransparencyLogs = (
  { db }: Pick<ReadModelDatabase, 'db'>,
  box: SecretBox,
  settings: LogSettings,
): TransparencyLogs => new PostgresTransparencyLogs(db, new LogSecretStore(box), settings);

class PostgresTransparencyLogs implements TransparencyLogs {
  constructor(
    private readonly db: Kysely<ReadModelTables>,
    private readonly secrets: LogSecretStore,
    private readonly settings: LogSettings,
  ) {}

  async head(tenant: TenantId): Promise<LogHead | undefined> {
    const row = await this.#newest(tenant);
    if (!row) return undefined;
    const { origin, size, sealed } = row;
    const cosigned = (await readCosignedHeads(this.db, tenant, size - 1)).find((head) => head.size === size);
    return {
      origin,
      size,
      checkpoint: cosigned?.checkpoint ?? row.checkpoint,
      sign: this.#signing(tenant, sealed),
    };
  }

  async cosignedCheckpoint(tenant: TenantId, count: number): Promise<string | undefined> {
    const heads = await readCosignedHeads(this.db, tenant);
    return heads.find(({ keys }) => witnessNames(this.settings.policy, keys).length >= count)?.checkpoint;
  }

  async witnessedHead(tenant: TenantId, index: number): Promise<LogHead | 'pending' | undefined> {
    const { policy } = this.settings;
    if (policy.witnesses.length === 0) return undefined;
    // Before the heads: a change of the key removes the heads that the older one has signed.
    const row = await this.#newest(tenant);
    if (!row) return undefined;
    const heads = (await readCosignedHeads(this.db, tenant, index)).map((head) => {
      const names = witnessNames(policy, head.keys);
      return { ...head, names, isQuorum: hasQuorum(policy, names) };
    });
    const best = heads.filter(({ names }) => names.length > 0).sort(byWitnesses)[0];
    if (!best?.isQuorum && !hasQuorum(policy, [])) {
      const { rows } = await sql<{ readonly witness: string }>`select witness from transparency.witness_status
        where tenant = ${tenant} and problem is not null`.execute(this.db);
      const failing = witnessNames(
        policy,
        rows.map(({ witness }) => witness),
      );
      const working = policy.witnesses.map(({ name }) => name).filter((name) => !failing.includes(name));
      if (hasQuorum(policy, working)) return 'pending';
    }
    if (!best) return undefined;
    const { size, checkpoint } = best;
    return { origin: row.origin, size, checkpoint, sign: this.#signing(tenant, row.sealed) };
  }

  async witnesses(tenant: TenantId): Promise<LogWitnesses | undefined> {
    const { policy } = this.settings;
    const row = await this.#newest(tenant);
    if (!row) return undefined;
    const statuses = await this.#statuses(tenant);
    const heads = await readCosignedHeads(this.db, tenant);
    const witnessed = heads.find(({ keys }) => hasQuorum(policy, witnessNames(policy, keys)));
    return {
      keys: await this.#verifierKeys(tenant),
      size: row.size,
      quorum: policy.quorum,
      witnessedSize: hasQuorum(policy, []) ? null : (witnessed?.size ?? null),
      witnesses: policy.witnesses.map(({ name, key, url = '' }) => {
        const vkey = formatVerifierKey(key);
        const status = statuses.find(({ witness }) => witness === vkey);
        return {
          name,
          key: vkey,
          url,
          problem: status?.problem ?? null,
          size: status?.size == null ? null : Number(status.size),
          cosignedAt: timeOf(status?.cosigned_at),
          failingSince: timeOf(status?.failing_since),
        };
      }),
    };
  }

  async witnessLags(): Promise<readonly WitnessLag[]> {
    const { witnesses } = this.settings.policy;
    if (witnesses.length === 0) return [];
    const { rows } = await sql<{
      readonly witness: string;
      readonly behind: bigint;
      readonly failing: bigint;
      readonly cosigned_at: Date | null;
      readonly problem: string | null;
      readonly failing_since: Date | null;
    }>`
      select w.witness, count(*) filter (where log.size > coalesce(s.size, 0)) as behind,
        count(*) filter (where s.problem is not null) as failing, max(s.cosigned_at) as cosigned_at,
        (array_agg(s.problem order by s.failing_since) filter (where s.problem is not null))[1] as problem,
        min(s.failing_since) as failing_since
      from unnest(${witnesses.map(({ key }) => formatVerifierKey(key))}::text[]) as w (witness)
      cross join transparency.log
      left join transparency.witness_status as s on s.tenant = log.tenant and s.witness = w.witness
      group by w.witness`.execute(this.db);
    return witnesses.map(({ name, key }) => {
      const row = rows.find(({ witness }) => witness === formatVerifierKey(key));
      return {
        name,
        logsBehind: Number(row?.behind ?? 0),
        logsFailing: Number(row?.failing ?? 0),
        ...{ cosignedAt: timeOf(row?.cosigned_at), problem: row?.problem ?? null },
        failingSince: timeOf(row?.failing_since),
      };
    });
  }

  async #verifierKeys(tenant: TenantId): Promise<readonly string[]> {
    const { signer, second } = await this.#secretsOf(tenant);
    return [signer, ...(second ? [second] : [])].map(formatVerifierKey);
  }

  async #statuses(tenant: TenantId) {
    const { rows } = await sql<{
      readonly witness: string;
      readonly size: bigint | null;
      readonly cosigned_at: Date | null;
      readonly problem: string | null;
      readonly failing_since: Date | null;
    }>`select witness, size, cosigned_at, problem, failing_since from transparency.witness_status
      where tenant = ${tenant}`.execute(this.db);
    return rows;
  }

  async #newest(tenant: TenantId) {
    const { rows } = await sql<{
      readonly origin: string;
      readonly size: bigint;
      readonly checkpoint: string;
      readonly sealed: string;
    }>`
      select log.origin, log.size, log.checkpoint, secret.sealed from transparency.log
      join transparency.secret on secret.tenant = log.tenant and secret.name = 'signer'
      where log.tenant = ${tenant}`.execute(this.db);
    const [row] = rows;
    return row && { ...row, size: Number(row.size) };
  }

  #signing(tenant: TenantId, sealed: string): LogHead['sign'] {
    return (text) => formatNote({ text, signatures: [signText(text, this.secrets.signer(tenant, sealed))] });
  }

  async tile(tenant: TenantId, path: string): Promise<Uint8Array | undefined> {
    const place = parseTilePath(path);
    if (!place) return undefined;
    if (place.level === 'entries') {
      const from = place.index * TILE_WIDTH;
      const entries = await this.entries(tenant, from, from + place.width);
      return entries.length === place.width
        ? encodeBundle(entries.map(({ text }) => new TextEncoder().encode(text)))
        : undefined;
    }
    const { rows } = await sql<{ readonly size: bigint }>`
      select size from transparency.log where tenant = ${tenant}`.execute(this.db);
    const size = Number(rows[0]?.size ?? 0);
    const reach = (place.index * TILE_WIDTH + place.width) * TILE_WIDTH ** place.level;
    if (reach > size) return undefined;
    const [tile] = await readTiles(this.db, tenant, [{ ...place, level: place.level }]);
    return tile && encodeTile(tile);
  }

  async snapshot(): Promise<LogSnapshot> {
    const { rows } = await sql<{
      readonly position: LogPosition | null;
      readonly tenant: string | null;
      readonly origin: string;
      readonly size: bigint;
      readonly checkpoint: string;
    }>`
      select p.position, log.tenant, log.origin, log.size, log.checkpoint
      from transparency.position as p left join transparency.log as log on true order by log.tenant`.execute(
      this.db,
    );
    const logs = rows.flatMap(({ tenant, origin, size, checkpoint }) =>
      tenant === null ? [] : [{ tenant: TenantId(tenant), origin, size: Number(size), checkpoint }],
    );
    return { position: rows[0]?.position ?? 'start', logs };
  }

  async ownEntries(tenant: TenantId, size: number): Promise<readonly LogEntryAt[]> {
    const { rows } = await sql<{ readonly index: bigint; readonly entry: string }>`
      select index, entry from transparency.entry
      where tenant = ${tenant} and stream is null and index < ${size} order by index`.execute(this.db);
    return rows.map(({ index, entry }) => ({ index: Number(index), text: entry }));
  }

  async keptHeads(tenant: TenantId, size: number) {
    const { rows } = await sql<{ readonly size: bigint; readonly checkpoint: string }>`
      select size, checkpoint from transparency.kept_head
      where tenant = ${tenant} and size <= ${size} order by size`.execute(this.db);
    return rows.map((row) => ({ size: Number(row.size), checkpoint: row.checkpoint }));
  }

  async lastEntry(tenant: TenantId, stream: StreamName, size: number) {
    const { rows } = await sql<{ readonly index: bigint; readonly revision: bigint; readonly entry: string }>`
      select index, revision, entry from transparency.entry
      where tenant = ${tenant} and stream = ${stream} and index < ${size}
      order by revision desc limit 1`.execute(this.db);
    const [row] = rows;
    return row && { index: Number(row.index), revision: Number(row.revision), text: row.entry };
  }

  async entryOf(tenant: TenantId, stream: StreamName, revision: number, size: number) {
    const { rows } = await sql<{ readonly index: bigint; readonly entry: string }>`
      select index, entry from transparency.entry where tenant = ${tenant} and stream = ${stream}
        and revision = ${revision} and index < ${size}`.execute(this.db);
    const [row] = rows;
    return row && { index: Number(row.index), text: row.entry };
  }

  proofs(...[tenant, proofs, size]: Parameters<TransparencyLogs['proofs']>) {
    return proofsInTiles(proofs, size, (places) => readTiles(this.db, tenant, places));
  }

  async salt(tenant: TenantId, stream: StreamName): Promise<string> {
    return streamSalt((await this.#secretsOf(tenant)).blinding, stream);
  }

  /** The old key signs one more head, which contains the entry with the new one; then it is gone. */
  rotateKey(tenant: TenantId): Promise<readonly string[]> {
    return durably(this.db, async (trx) => {
      const log = await lockLog(trx, tenant, this.secrets, this.settings);
      const signers = log.signers.map((old) =>
        old.type === 'ed25519' ? newSigner(log.origin) : newSecondSigner(log.origin),
      );
      const verifierKeys = signers.map(formatVerifierKey);
      const entries = [{ text: formatLogEntry({ kind: 'key', verifierKeys }) }];
      await appendEntries(trx, [{ log, entries, more: signers }]);
      for (const key of signers)
        await this.secrets.put(
          trx,
          tenant,
          key.type === 'ed25519' ? 'signer' : 'second',
          formatSignerKey(key),
        );
      // Proofs have the newest key's signature: heads that the old one alone has signed are of no use any more.
      await sql`delete from transparency.cosigned_head where tenant = ${tenant}`.execute(trx);
      return verifierKeys;
    });
  }

  async entries(tenant: TenantId, from: number, to: number): Promise<readonly PlacedEntry[]> {
    const { rows } = await sql<{
      readonly index: bigint;
      readonly entry: string;
      readonly stream: StreamName | null;
      readonly revision: bigint;
    }>`
      select index, entry, stream, revision from transparency.entry
      where tenant = ${tenant} and index >= ${from} and index < ${to} order by index`.execute(this.db);
    return rows.map(({ index, entry, stream, revision }) => ({
      index: Number(index),
      text: entry,
      ...(stream !== null && { event: { stream, revision: Number(revision) } }),
    }));
  }

  async #secretsOf(tenant: TenantId) {
    const secrets = (await this.secrets.of(this.db, [tenant])).get(tenant);
    if (!secrets) throw new AppError('log-not-found', `the log of tenant "${tenant}" has no entry yet`);
    return secrets;
  }
}

const timeOf = (at: Date | null | undefined): IsoTime | null => (at ? IsoTime(at) : null);

type Witnessed = { readonly size: number; readonly names: readonly string[]; readonly isQuorum: boolean };

/** With a quorum first, then those with the most witnesses, then the newest. */
const byWitnesses = (one: Witnessed, other: Witnessed): number =>
  Number(other.isQuorum) - Number(one.isQuorum) ||
  other.names.length - one.names.length ||
  other.size - one.size;
