import { IsoTime, invariant, LogPosition, pick, SessionId } from '@app/kernel';
import type { CompactionRecord, CompactionSearch } from '@app/ports';
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { ReadTables } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import type { TenantRows } from '../../tenancy/tenant-rows.js';
import { descriptionConditions, isDescribed } from '../sessions.js';
import { costOf } from './usage.js';

const ROWS_MAX = 1_000;

/** By the place of their requests in the log. */
export const searchCompactions = async (
  rowsOf: TenantRows,
  search: CompactionSearch,
): Promise<readonly CompactionRecord[]> => {
  const { sort = '-position', after, limit } = search;
  invariant(Number.isSafeInteger(limit) && limit >= 0, `a limit is a whole number from 0, got ${limit}`);
  const isNewestFirst = sort === '-position';
  let query = rowsOf(search.tenant).selectFrom('compactions').selectAll().where(passes(search));
  if (after) query = query.where('requested_position', isNewestFirst ? '<' : '>', after.position);
  const rows = await query
    .orderBy('requested_position', isNewestFirst ? 'desc' : 'asc')
    .limit(Math.min(limit, ROWS_MAX))
    .execute();
  return rows.map(recordOf);
};

type TextColumn = 'session' | 'trigger' | 'profile' | 'summarizer_model' | 'actor';

const passes =
  ({ tenant, outcome, since, until, ...search }: CompactionSearch) =>
  (eb: ExpressionBuilder<ReadTables, 'compactions'>): Expression<SqlBool> => {
    const wanted: readonly (readonly [TextColumn, string | undefined])[] = [
      ['session', search.session],
      ['trigger', search.trigger],
      ['profile', search.profile],
      ['summarizer_model', search.model],
      ['actor', search.actor],
    ];
    const conditions: Expression<SqlBool>[] = [eb('tenant', '=', tenant)];
    for (const [column, value] of wanted) {
      if (value !== undefined) conditions.push(sql<SqlBool>`${eb.ref(column)} = ${storableText(value)}`);
    }
    if (isDescribed(search)) {
      const described = eb
        .selectFrom('sessions')
        .select('sessions.session')
        .where('sessions.tenant', '=', tenant)
        .where(eb.and([...descriptionConditions(search, (read) => sql`${read(search)}`)]));
      conditions.push(eb('compactions.session', 'in', described));
    }
    if (outcome === 'open') conditions.push(eb('outcome', 'is', null));
    else if (outcome !== undefined) conditions.push(eb('outcome', '=', outcome));
    if (since !== undefined) conditions.push(eb('requested_at', '>=', new Date(since)));
    if (until !== undefined) conditions.push(eb('requested_at', '<', new Date(until)));
    return eb.and(conditions);
  };

const recordOf = (row: Selectable<ReadTables['compactions']>): CompactionRecord => ({
  session: SessionId(row.session),
  compactionId: row.compaction,
  ...pick(row, 'trigger', 'outcome', 'reason', 'profile', 'actor'),
  turn: Number(row.turn),
  attempts: Number(row.attempts),
  worker: row.worker,
  summarizer: row.summarizer,
  model: row.summarizer_model,
  promptVersion: row.prompt_version,
  countedBefore: numberIn(row.counted_before),
  countedAfter: numberIn(row.counted_after),
  billedBefore: numberIn(row.billed_before),
  billedAfter: numberIn(row.billed_after),
  coveredMessages: numberIn(row.covered_messages),
  fidelity: row.fidelity,
  durationMs: row.duration_ms,
  usage: {
    inputTokens: Number(row.input_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    outputTokens: Number(row.output_tokens),
  },
  cost: costOf(row.cost_nano_usd, row.unpriced_tokens),
  requestedAt: IsoTime(row.requested_at),
  endedAt: row.ended_at && IsoTime(row.ended_at),
  position: LogPosition(row.requested_position),
});

const numberIn = (count: bigint | null): number | null => (count === null ? null : Number(count));
