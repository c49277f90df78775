import type { TenantId } from '@app/kernel';
import { formatVerifierKey, type Policy } from '@app/tlog';
import { sql } from 'kysely';

type ReadDb = Parameters<ReturnType<typeof sql>['execute']>[0];

/** A head that witnesses have cosigned: their keys, as vkeys, and the signed checkpoint with their lines. */
export type CosignedHead = {
  readonly size: number;
  readonly keys: readonly string[];
  readonly checkpoint: string;
};

/** Returns the cosigned heads of a log that have a leaf, the newest first. */
export const readCosignedHeads = async (
  db: ReadDb,
  tenant: TenantId | string,
  index = -1,
): Promise<readonly CosignedHead[]> => {
  const { rows } = await sql<{
    readonly size: bigint;
    readonly keys: readonly string[];
    readonly checkpoint: string;
  }>`
    select head.size, array_agg(c.witness order by c.witness) as keys,
      head.checkpoint || string_agg(c.line, '' order by c.witness) as checkpoint
    from transparency.cosigned_head as head
    join transparency.cosignature as c on c.tenant = head.tenant and c.size = head.size
    where head.tenant = ${tenant} and head.size > ${index}
    group by head.tenant, head.size order by head.size desc`.execute(db);
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
};

/** Returns the names that a policy has for the keys of witnesses. */
export const witnessNames = (
  { witnesses }: Pick<Policy, 'witnesses'>,
  keys: readonly string[],
): readonly string[] =>
  witnesses.flatMap(({ name, key }) => (keys.includes(formatVerifierKey(key)) ? [name] : []));
