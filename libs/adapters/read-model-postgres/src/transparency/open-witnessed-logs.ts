import type { TenantId } from '@app/kernel';
import type { DueHead, WitnessedLogs } from '@app/ports';
import { hasQuorum, type Policy } from '@app/tlog';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { withLock } from '../projector/lock.js';
import type { ReadTables } from '../rows/read-tables.js';
import type { ReadModelTables } from '../tables.js';
import type { Trx } from './append-leaves.js';
import { readCosignedHeads, witnessNames } from './cosigned-heads.js';

/** The first 60 bits of the SHA-256 of `palimpsest witnesses`. */
const WITNESSES_LOCK = 171_286_529_838_418_759n;
/** Maximum number of heads without a quorum that are kept for a log. */
const HEADS_MAX = 20;

/** Opens the heads of a migrated database for the work that submits them to the witnesses of a policy. */
export const openWitnessedLogs = ({ db }: Pick<ReadModelDatabase, 'db'>, policy: Policy): WitnessedLogs => ({
  alone: (signal, work) =>
    withLock(db.withTables<ReadTables>(), WITNESSES_LOCK, signal, (connection) =>
      // Over the connection that holds the lock.
      work((witness) => dueHeads(connection.withTables<ReadModelTables>(), witness)),
    ),
  cosigned: (head, witness, line) =>
    db.transaction().execute((trx) => keepCosignature(trx, head, witness, line, policy)),
  failed: async ({ tenant }, witness, problem) => {
    const { rows } = await sql<{ readonly before: string | null }>`
      with known as (select problem from transparency.witness_status
        where tenant = ${tenant} and witness = ${witness})
      insert into transparency.witness_status as status (tenant, witness, problem, failing_since)
      values (${tenant}, ${witness}, ${problem}, now())
      on conflict (tenant, witness) do update set problem = excluded.problem,
        failing_since = coalesce(status.failing_since, excluded.failing_since)
      returning (select problem from known) as before`.execute(db);
    return rows[0]?.before !== problem;
  },
});

const dueHeads = async (db: Kysely<ReadModelTables>, witness: string): Promise<readonly DueHead[]> => {
  const { rows } = await sql<{
    readonly tenant: TenantId;
    readonly size: bigint;
    readonly checkpoint: string;
    readonly cosigned: bigint;
  }>`
    select log.tenant, log.size, log.checkpoint, coalesce(status.size, 0) as cosigned
    from transparency.log left join transparency.witness_status as status
      on status.tenant = log.tenant and status.witness = ${witness}
    where log.size > coalesce(status.size, 0) order by log.tenant`.execute(db);
  return rows.map(({ size, cosigned, ...row }) => ({
    ...row,
    size: Number(size),
    cosignedSize: Number(cosigned),
  }));
};

const keepCosignature = async (
  trx: Trx,
  { tenant, size, checkpoint }: DueHead,
  witness: string,
  line: string,
  policy: Policy,
): Promise<void> => {
  // A change of the log's key waits, or is seen: proofs from heads before it would have signatures by two keys.
  const { rows } = await sql<{ readonly is_old: boolean }>`
    select exists (select from transparency.kept_head as kept
      where kept.tenant = log.tenant and kept.size > ${size}) as is_old
    from transparency.log where tenant = ${tenant} for share`.execute(trx);
  if (rows.length === 0) return;
  await sql`insert into transparency.witness_status as status (tenant, witness, size, cosigned_at)
    values (${tenant}, ${witness}, ${size}, now())
    on conflict (tenant, witness) do update set size = greatest(status.size, excluded.size),
      cosigned_at = excluded.cosigned_at, problem = null, failing_since = null`.execute(trx);
  if (rows[0]?.is_old) return;
  await sql`insert into transparency.cosigned_head (tenant, size, checkpoint)
    values (${tenant}, ${size}, ${checkpoint}) on conflict do nothing`.execute(trx);
  await sql`insert into transparency.cosignature (tenant, size, witness, line)
    values (${tenant}, ${size}, ${witness}, ${line})
    on conflict (tenant, size, witness) do update set line = excluded.line`.execute(trx);
  await prune(trx, tenant, policy);
};

/** Removes heads behind the newest one with a quorum, and behind {@link HEADS_MAX} newer ones. */
const prune = async (trx: Trx, tenant: TenantId, policy: Policy): Promise<void> => {
  const heads = await readCosignedHeads(trx, tenant);
  const isQuorum = heads.findIndex(({ keys }) => hasQuorum(policy, witnessNames(policy, keys)));
  const kept = heads.filter((_, at) => at < HEADS_MAX || at === isQuorum).map(({ size }) => size);
  if (kept.length < heads.length)
    await sql`delete from transparency.cosigned_head
      where tenant = ${tenant} and not (size = any(${kept}::bigint[]))`.execute(trx);
};
