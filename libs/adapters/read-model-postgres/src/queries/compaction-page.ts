import type { PartRule, RetentionRule } from '@app/domain';
import { CompactionId, IsoTime, MessageId, type Revision, SessionId, TenantId, Tokens } from '@app/kernel';
import type {
  CompactionSummary,
  Page,
  PageRequest,
  RetainedTurn,
  RetentionQuery,
  UnfinishedCompaction,
} from '@app/ports';
import type { Kysely } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';
import type { TenantRows } from '../tenancy/tenant-rows.js';
import { pageOf } from './page.js';

type Asked = { readonly tenant: TenantId; readonly session: SessionId; readonly upTo?: Revision };

/** Newest request first. As of the revision `upTo`, later requests are missing, and later outcomes are unknown. */
export const compactionPage = async (
  rowsOf: TenantRows,
  { tenant, session, upTo }: Asked,
  page: PageRequest,
): Promise<Page<CompactionSummary>> => {
  const { before } = page;
  const read = (limit: number) => {
    let query = rowsOf(tenant)
      .selectFrom('compactions')
      .select(['compaction', 'trigger', 'turn', 'profile', 'actor', 'attempts', 'outcome', 'reason'])
      .select([
        'counted_before',
        'counted_after',
        'billed_before',
        'billed_after',
        'covered_messages',
        'fidelity',
        'summarizer',
      ])
      .select(['requested_at', 'ended_at', 'requested_position', 'ended_revision'])
      .where('tenant', '=', tenant)
      .where('session', '=', session);
    if (upTo !== undefined) query = query.where('requested_revision', '<=', BigInt(upTo));
    if (before !== undefined) query = query.where('requested_position', '<', before);
    return query.orderBy('requested_position', 'desc').limit(limit).execute();
  };
  return pageOf(
    page,
    read,
    (row) => row.requested_position,
    (row) => ({
      compactionId: CompactionId(row.compaction),
      trigger: row.trigger,
      turn: Number(row.turn),
      profile: row.profile,
      actor: row.actor,
      attempts: Number(row.attempts),
      outcome: row.outcome,
      reason: row.reason,
      countedBefore: numberOf(row.counted_before),
      countedAfter: numberOf(row.counted_after),
      billedBefore: numberOf(row.billed_before),
      billedAfter: numberOf(row.billed_after),
      coveredMessages: numberOf(row.covered_messages),
      fidelity: row.fidelity,
      summarizer: row.summarizer,
      requestedAt: IsoTime(row.requested_at),
      endedAt: row.ended_at && IsoTime(row.ended_at),
      ...(upTo !== undefined && row.ended_revision !== null && row.ended_revision > upTo && WITHOUT_OUTCOME),
    }),
  );
};

/** A compaction that had not ended yet. */
const WITHOUT_OUTCOME = {
  outcome: null,
  reason: null,
  endedAt: null,
  fidelity: null,
  coveredMessages: null,
  ...{ countedBefore: null, countedAfter: null, billedBefore: null, billedAfter: null },
} as const;

const numberOf = (count: bigint | null): number | null => (count === null ? null : Number(count));

const COMPACTIONS_MAX = 1_000;

/** Returns unfinished compactions, longest waiting first, at most 1,000. */
export const unfinishedCompactions = async (
  db: Kysely<ReadTables>,
): Promise<readonly UnfinishedCompaction[]> => {
  const rows = await db
    .selectFrom('compactions')
    .select(['tenant', 'session', 'compaction'])
    .where('outcome', 'is', null)
    .orderBy('requested_position')
    .limit(COMPACTIONS_MAX)
    .execute();
  return rows.map(({ tenant, session, compaction }) => ({
    tenant: TenantId(tenant),
    session: SessionId(session),
    compactionId: CompactionId(compaction),
  }));
};

/** Returns the states of a range of turns at compactions, in the order of the log. */
export const retainedTurns = async (
  rowsOf: TenantRows,
  { tenant, session, from, to }: RetentionQuery,
): Promise<readonly RetainedTurn[]> => {
  const rows = await rowsOf(tenant)
    .selectFrom('compaction_turns')
    .select(['compaction', 'turn', 'from_message', 'to_message', 'messages', 'tokens'])
    .select(['rule', 'tool_outputs', 'reasoning'])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('turn', '>=', BigInt(from))
    .where('turn', '<=', BigInt(to))
    .orderBy('position')
    .orderBy('turn')
    .execute();
  return rows.map((row) => ({
    compactionId: row.compaction,
    turn: Number(row.turn),
    from: MessageId(row.from_message),
    to: MessageId(row.to_message),
    messages: Number(row.messages),
    tokens: Tokens(Number(row.tokens)),
    // Written by this adapter from events, whose rules they are.
    rule: row.rule as RetentionRule,
    toolOutputs: row.tool_outputs as PartRule,
    reasoning: row.reasoning as PartRule,
  }));
};
