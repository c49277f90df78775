import { IsoTime, invariant, SessionId, TenantId } from '@app/kernel';
import {
  AUDIT_GROUPS,
  AUDIT_SORTS,
  type AuditEventType,
  type AuditFilter,
  type AuditRow,
  type CompactionSearch,
  SESSION_SORTS,
  type SessionFilter,
  type SessionPlace,
} from '@app/ports';
import { auditHours, auditRows, compactionRows, LARGE_TENANT, SMALL_TENANT } from '@app/testing';
import { type Access, Explained } from './support/explained.js';
import { TestDatabase } from './support/read-model-database.js';

const ROWS = 60_000;
const TENANTS = [LARGE_TENANT, SMALL_TENANT].map(TenantId);

/** Guarantee: every search of an audit uses an index of the tenant's rows, and reads no others. */
describe('queries', () => {
  let test: TestDatabase;
  let explained: Explained;
  beforeAll(async () => {
    test = await TestDatabase.start();
    await test.query(auditRows({ after: 0, upTo: ROWS }));
    await test.query(auditHours);
    await test.query(compactionRows);
    // As many hours as in a year: PostgreSQL would scan a table of one page.
    await test.query(`insert into read.audit_hours
      select 'small_' || t, hour, 0, 0 from generate_series(1, 5) as t,
        generate_series(timestamptz '2025-01-01', timestamptz '2025-12-31', interval '1 hour') as hour`);
    await test.query('vacuum analyze read.audit_events');
    await test.query('analyze read.audit_hours, read.compactions');
    explained = new Explained(test.database);
  });
  afterAll(() => test.stop());

  it.each(TENANTS)(
    'of the audit of tenant %s scan no table with any combination of filters, and sort nothing in log order',
    async (tenant) => {
      const row = await aCompletion(explained, tenant);
      const combinations = combinationsOf(filtersFor(row));
      for (const [turn, sort] of AUDIT_SORTS.entries()) {
        for (const [number, filter] of combinations.entries()) {
          if ((number + Math.floor(number / AUDIT_SORTS.length)) % AUDIT_SORTS.length !== turn) continue;
          const after = number % 3 === 0 ? { after: row } : {};
          await explained.models.audit({ tenant, ...filter, sort, ...after, limit: 100 });
        }
        const accesses = await explained.accesses();
        expect(unindexed(accesses)).toEqual([]);
        if (!sort.endsWith('time')) expect(accesses.filter(({ kind }) => /Sort$/.test(kind))).toEqual([]);
      }
    },
  );

  it('return exactly the matching rows', async () => {
    for (const tenant of TENANTS) {
      const row = await aCompletion(explained, tenant);
      for (const filter of combinationsOf(filtersFor(row)).filter((_, number) => number % 7 === 0)) {
        const rows = await explained.models.audit({ tenant, ...filter, limit: 1_000 });
        const totals = await explained.models.auditTotals({ tenant, ...filter, by: 'type' });
        expect(rows).toHaveLength(Math.min(totals.events, 1_000));
        expect(totals.events).toBeGreaterThan(0);
      }
    }
  });

  it('that count scan no table, even for a tenant with most of the rows', async () => {
    const rows = await Promise.all(TENANTS.map((tenant) => aCompletion(explained, tenant)));
    const [large = [], small = []] = rows.map((row) => combinationsOf(filtersFor(row)));
    for (const [number, ofSmall] of small.entries()) {
      const turn = (number + Math.floor(number / 2)) % 2;
      const filter = turn === 0 ? large[number] : ofSmall;
      const by = AUDIT_GROUPS[number % AUDIT_GROUPS.length];
      const tenant = TENANTS[turn];
      if (by && tenant) await explained.models.auditTotals({ tenant, ...filter, by });
    }
    expect(unindexed(await explained.accesses())).toEqual([]);
  });

  it('for compactions scan no table', async () => {
    const tenant = TenantId(SMALL_TENANT);
    const [record] = await explained.models.compactions({ tenant, outcome: 'completed', limit: 1 });
    invariant(record?.outcome && record.model, 'there is a completed compaction');
    const { session, trigger, outcome, profile, model, actor, requestedAt } = record;
    const filters: readonly Partial<CompactionSearch>[] = [
      { session },
      { trigger },
      { outcome },
      { profile },
      { model },
      { actor },
      { since: requestedAt, until: IsoTime(new Date(Date.parse(requestedAt) + 1)) },
    ];
    for (const filter of combinationsOf(filters)) {
      expect(await explained.models.compactions({ tenant, ...filter, limit: 100 })).not.toEqual([]);
    }
    expect(unindexed(await explained.accesses())).toEqual([]);
  });
});

/** Guarantee: the list of sessions reads an index of the tenant, for every filter and sort order. */
describe('list of sessions', () => {
  let test: TestDatabase;
  let explained: Explained;
  const tenant = TenantId('small');
  beforeAll(async () => {
    test = await TestDatabase.start();
    await test.query(`insert into read.sessions
      select case when i % 10 = 0 then 'small' else 'large' end, 's-' || i, 's-' || i % 20, 'core', 'm', 1000, 0.6, 0.8, 0.95,
        i % 1000, (array['normal', 'warning', 'critical', 'blocking'])[1 + i % 4], null, 1, 2, 0, 3, i,
        timestamptz '2026-01-01' + i * interval '1 second', timestamptz '2026-02-01' + i * interval '1 second',
        0, 0.5, false, 'Title ' || i, 'agent-' || i % 7, 'project-' || i % 50,
        jsonb_build_object('team', 't' || i % 5), null, null, null, '{}', timestamptz '2026-02-01'
      from generate_series(1, 40000) as i`);
    await test.query('vacuum analyze read.sessions');
    explained = new Explained(test.database);
  });
  afterAll(() => test.stop());

  const filters: readonly SessionFilter[] = [
    { agent: 'agent-2' },
    { project: 'project-20' },
    { labels: [{ name: 'team', value: 't0' }] },
    { state: 'critical' },
    { parent: SessionId('s-10') },
    { minOccupancy: 300 },
    { title: 'title 1' },
  ];

  it('scans no table for any combination of filters and sort order', async () => {
    for (const sort of SESSION_SORTS) {
      for (const filter of combinationsOf(filters)) {
        const page = await explained.models.sessionPage({ tenant, ...filter, sort, limit: 2 });
        if (page.next)
          await explained.models.sessionPage({ tenant, ...filter, sort, limit: 2, after: page.next });
      }
    }
    expect(unindexed(await explained.accesses())).toEqual([]);
  });

  it('sorts nothing without filters', async () => {
    for (const sort of SESSION_SORTS) await explained.models.sessionPage({ tenant, sort, limit: 100 });
    const accesses = await explained.accesses();
    expect(accesses.filter(({ kind }) => /Sort$/.test(kind))).toEqual([]);
    expect(accesses).toHaveLength(SESSION_SORTS.length);
  });

  it('has each session on one page, in order', async () => {
    for (const sort of SESSION_SORTS) {
      const all = await explained.models.sessionPage({ tenant, agent: 'agent-2', sort, limit: 1_000 });
      const paged: string[] = [];
      for (let after: SessionPlace | undefined; ; ) {
        const query = { tenant, agent: 'agent-2', sort, limit: 97, ...(after && { after }) };
        const { items, next } = await explained.models.sessionPage(query);
        paged.push(...items.map(({ session }) => session));
        if (!next) break;
        after = next;
      }
      expect(all.next).toBeNull();
      expect(paged).toEqual(all.items.map(({ session }) => session));
      expect(new Set(paged).size).toBeGreaterThan(500);
    }
  });
});

const aCompletion = async (explained: Explained, tenant: TenantId): Promise<AuditRow> => {
  const [row] = await explained.models.audit({ tenant, outcome: 'completed', limit: 1 });
  invariant(row, `there is a completed compaction of ${tenant}`);
  return row;
};

/** Returns one filter of each kind that matches the row. */
const filtersFor = (row: AuditRow): readonly Partial<AuditFilter>[] => {
  const { trigger, outcome, profile, model, compactionId, session } = row;
  invariant(
    session && trigger && outcome && profile && model && compactionId,
    'a completion has every filter',
  );
  const types: readonly AuditEventType[] = [row.type, 'CompactionFailed'];
  return [
    { session: SessionId(session) },
    { types },
    { trigger },
    { outcome },
    { profile },
    { model },
    { actor: row.actor },
    { correlationId: row.correlationId },
    { compactionId },
    { since: row.recordedAt, until: IsoTime(new Date(Date.parse(row.recordedAt) + 3_600_000)) },
  ];
};

/** Returns the merged objects of every subset. */
const combinationsOf = <Filter extends object>(filters: readonly Filter[]): readonly Filter[] => {
  const [first, ...others] = filters;
  const without = first ? combinationsOf(others) : [];
  return first ? [...without, ...without.map((rest) => ({ ...rest, ...first }))] : [Object.create(null)];
};

/** Excludes bitmap heap scans, whose index scans are listed separately. */
const unindexed = (accesses: readonly Access[]): readonly Access[] => {
  expect(accesses.length).toBeGreaterThan(100);
  const wrong = accesses.filter(
    ({ kind, condition }) =>
      !/^Bitmap Heap Scan$|^Subquery Scan$|Sort$/.test(kind) && !condition.includes('tenant = '),
  );
  return [...new Map(wrong.map((access) => [JSON.stringify(access), access])).values()];
};
