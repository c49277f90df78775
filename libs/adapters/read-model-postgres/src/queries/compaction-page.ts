import { CompactionId, IsoTime, type Revision, type SessionId, type TenantId } from '@app/kernel';
import type { CompactionSummary, Page, PageRequest } from '@app/ports';
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
  ...{ outcome: null, reason: null, endedAt: null, fidelity: null, coveredMessages: null },
  ...{ countedBefore: null, countedAfter: null, billedBefore: null, billedAfter: null },
} as const;

const numberOf = (count: bigint | null): number | null => (count === null ? null : Number(count));
