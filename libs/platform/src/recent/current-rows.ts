import { pinnedRevision, streamOf } from '@app/application';
import { AppError, type TenantId } from '@app/kernel';
import type { Projector, ReadModels, Subscriptions } from '@app/ports';
import type { RecentEvents, RowsOf } from './recent-events.js';

/** Milliseconds that a read waits for rows. They follow the log within a second, and some seconds after a start. */
const WAIT_MAX_MS = 10_000;

type Parts = {
  readonly recent: RecentEvents;
  readonly projector: Pick<Projector, 'reached'>;
  readonly subscriptions: Pick<Subscriptions, 'head'>;
};

/**
 * Delays every read for a caller until the rows contain all events that this process has recorded of its tenant. Reads of
 * background work do not wait. The reads of one moment wait once.
 *
 * @throws {AppError} `projection-behind` from those reads if the rows lack an event after `waitMaxMs`.
 */
export const currentRows = (
  rows: ReadModels,
  { recent, projector, subscriptions }: Parts,
  waitMaxMs = WAIT_MAX_MS,
): ReadModels => {
  const untilProjected = async (): Promise<void> => {
    const late = AbortSignal.timeout(waitMaxMs);
    try {
      await projector.reached(await subscriptions.head(), late);
    } catch (error) {
      if (error !== late.reason) throw error;
      const message = `the rows do not contain the last write after ${waitMaxMs / 1_000} seconds: try again later, or see /health`;
      throw new AppError('projection-behind', message, { cause: error });
    }
  };
  const current = async <Answer>(of: RowsOf, read: () => Promise<Answer>): Promise<Answer> => {
    await recent.settle(of, untilProjected);
    return read();
  };
  const ofTenant =
    <Query extends { readonly tenant: TenantId | 'all' }, Rest extends readonly unknown[], Answer>(
      read: (query: Query, ...rest: Rest) => Promise<Answer>,
    ) =>
    (query: Query, ...rest: Rest): Promise<Answer> =>
      current(query.tenant, () => read(query, ...rest));
  return {
    ...rows,
    sessions: (tenant) => current(tenant, () => rows.sessions(tenant)),
    auditEnd: (tenant) => current(tenant, () => rows.auditEnd(tenant)),
    auditReads: (query) => current({ readsOf: query.tenant }, () => rows.auditReads(query)),
    tenants: (page) => current('all', () => rows.tenants(page)),
    audit: ofTenant(rows.audit),
    auditTotals: ofTenant(rows.auditTotals),
    compactions: ofTenant(rows.compactions),
    usage: ofTenant(rows.usage),
    sessionPage: ofTenant(rows.sessionPage),
    compactionPage: (ref, page) => {
      const upTo = pinnedRevision(streamOf(ref));
      const pinned = { ...ref, ...(upTo !== undefined && { upTo }) };
      return current(ref.tenant, () => rows.compactionPage(pinned, page));
    },
    occupancy: ofTenant(rows.occupancy),
    milestones: ofTenant(rows.milestones),
    retainedTurns: ofTenant(rows.retainedTurns),
    heldSessions: ofTenant(rows.heldSessions),
  };
};
