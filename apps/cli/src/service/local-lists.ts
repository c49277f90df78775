import { auditBatches, ListTenants, RecordAuditRead } from '@app/application';
import { OPERATOR_TENANT } from '@app/domain';
import { Actor, type LogPosition, type TenantId } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import type { AuditReadRecord, SessionPlace } from '@app/ports';
import { caughtUp } from './caught-up.js';
import { allItems } from './pages.js';
import type { Service } from './service.js';

const CLI = Actor('cli');

/** Lists rows of the local read models. Reads of audit data are recorded before they are printed. */
export const localLists = (
  palimpsest: Palimpsest,
  queries: Service['queries'],
): Pick<Service, 'sessions' | 'held' | 'tenants' | 'reads' | 'audit' | 'auditTotals' | 'usage'> => {
  const { commands, readModels } = palimpsest;
  const facts = (tenant: TenantId, command: string, filter: object, rows: number): Promise<void> => {
    const read = { endpoint: `palimpsest ${command}`, filters: filter, rows };
    return commands.execute(new RecordAuditRead(tenant, read, { actor: CLI }));
  };
  return {
    sessions: (tenant, filter) =>
      allItems((limit, after: SessionPlace | undefined) =>
        readModels.sessionPage({ tenant, ...filter, limit, ...(after && { after }) }),
      ),
    held: async function* (tenant, filter) {
      await caughtUp(palimpsest);
      yield* allItems((limit, before: LogPosition | undefined) =>
        readModels.heldSessions({ tenant, ...filter, limit, ...(before !== undefined && { before }) }),
      );
    },
    tenants: () =>
      allItems((limit, after: TenantId | undefined) => queries.execute(new ListTenants(after, limit))),
    reads: async function* (tenant, filter) {
      await caughtUp(palimpsest);
      yield* allItems(async (limit, after: AuditReadRecord | undefined) => {
        const items = await readModels.auditReads({ tenant, ...filter, limit, ...(after && { after }) });
        await facts(tenant, 'reads', filter, items.length);
        return { items, next: items.length === limit ? (items.at(-1) ?? null) : null };
      });
    },
    audit: async function* (read) {
      await caughtUp(palimpsest);
      const { tenant, ...filter } = read;
      for await (const rows of auditBatches(readModels, read)) {
        // Records each batch before it is printed; the total is unknown until the last one.
        await facts(tenant, 'audit', filter, rows.length);
        yield rows;
      }
    },
    auditTotals: async (query) => {
      await caughtUp(palimpsest);
      const totals = await readModels.auditTotals(query);
      const { tenant, ...filter } = query;
      await facts(tenant, 'audit', filter, totals.groups.length);
      return totals;
    },
    usage: async (query) => {
      await caughtUp(palimpsest);
      const totals = await readModels.usage(query);
      const { tenant, ...filter } = query;
      await facts(tenant === 'all' ? OPERATOR_TENANT : tenant, 'usage', filter, totals.groups.length);
      return totals;
    },
  };
};
