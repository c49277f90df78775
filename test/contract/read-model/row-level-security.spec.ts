import { openProjector, openReadModels } from '@app/adapters/read-model-postgres';
import { IsoTime, MessageId, Revision, SessionId, TenantId } from '@app/kernel';
import type { ReadModels } from '@app/ports';
import { memoryDigests } from '@app/testing';
import { type RawBuilder, sql } from 'kysely';
import { TestDatabase } from './support/read-model-database.js';
import { ScriptedLog } from './support/scripted-log.js';

const POLICY = "(tenant = current_setting('palimpsest.tenant'::text, true))";

/** The other queries cover all tenants. */
type TenantQuery = Exclude<
  keyof ReadModels,
  | 'apiKeys'
  | 'tenants'
  | 'unfinishedCompactions'
  | 'idleSessions'
  | 'dueRetentions'
  | 'status'
  | 'stoppedStreams'
>;

/** Guarantee: the reader role sees the rows of one tenant in every query. */
describe('rows of a tenant', () => {
  let test: TestDatabase;
  let tables: readonly string[];
  beforeAll(async () => {
    test = await TestDatabase.start();
    tables = await tablesWithTenants();
  });
  afterAll(() => test.stop());

  /** From the catalog, so that tables of later migrations are included. */
  const tablesWithTenants = async () =>
    (
      await test.query(`select c.relname as name from pg_class as c join pg_attribute as a on a.attrelid = c.oid
        where c.relnamespace = 'read'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attname = 'tenant' order by 1`)
    ).map(({ name }) => String(name));

  /** Inserts a row per tenant into every table, with the required columns only, except for sessions. */
  const fill = async () => {
    await test.clear();
    for (const table of tables) for (const tenant of ['acme', 'globex']) await insert(table, tenant);
  };
  const insert = async (table: string, tenant: string) => {
    const columns =
      await test.query(`select attname as name, atttypid::regtype::text as type from pg_attribute
      where attrelid = 'read.${table}'::regclass and attnum > 0 and not attisdropped and (attnotnull or attname in ('session', 'occupancy'))`);
    const literalOf = ({ name, type }: Readonly<Record<string, unknown>>): string => {
      if (name === 'tenant') return `'${tenant}'`;
      if (name === 'legal_holds') return `'{"case-1": null}'`;
      if (name === 'type') return `'SessionOpened'`;
      return (
        EMPTY[String(type)] ?? (type === 'bigint' || type === 'numeric' ? `${tenant.length}` : `'${tenant}'`)
      );
    };
    await test.query(
      `insert into read.${table} (${columns.map(({ name }) => name)}) values (${columns.map(literalOf)})`,
    );
  };

  const expectSeparation = async () => {
    for (const table of tables) {
      const all = `select tenant from read.${table} order by tenant`;
      expect(await test.query(all)).toEqual([{ tenant: 'acme' }, { tenant: 'globex' }]);
      expect([table, await test.queryAs('acme', all)]).toEqual([table, [{ tenant: 'acme' }]]);
      expect([table, await test.queryAs('globex', all)]).toEqual([table, [{ tenant: 'globex' }]]);
      expect([table, await test.queryAs(undefined, all)]).toEqual([table, []]);
      expect([table, await test.queryAs('', all)]).toEqual([table, []]);
      await expect(test.queryAs('acme', `delete from read.${table}`)).rejects.toMatchObject({
        code: '42501',
      });
    }
  };

  it('have a policy in every table with a tenant', async () => {
    expect(tables.length).toBeGreaterThanOrEqual(13);
    const policies = await test.query(`select c.relname as table, c.relrowsecurity as secured,
        p.polname as policy, p.polcmd as command, p.polroles::regrole[]::text as roles, pg_get_expr(p.polqual, c.oid) as using
      from pg_class as c left join pg_policy as p on p.polrelid = c.oid
      where c.relnamespace = 'read'::regnamespace and c.relname = any ('{${tables}}') order by 1`);
    expect(policies).toEqual(
      tables.map((table) => ({
        ...{ table, secured: true, policy: 'of_tenant', command: 'r' },
        ...{ roles: '{palimpsest_reader}', using: POLICY },
      })),
    );
  });

  it('are the only result of a query without a tenant filter; without the setting there is none', async () => {
    await fill();
    await expectSeparation();
  });

  it('are still separated after a rebuild', async () => {
    const names = (await openReadModels(test.database, memoryDigests).status()).map(
      ({ projection }) => projection,
    );
    await openProjector({
      database: test.database,
      subscriptions: new ScriptedLog(),
      digests: memoryDigests,
    }).rebuild(names, new AbortController().signal);
    await fill();
    await expectSeparation();
  });

  it('are read with that role by every query of one tenant', async () => {
    await fill();
    const before = await answersOf('acme');
    expect(Object.values(before)).not.toContain(0);
    for (const table of tables) await test.query(`alter policy of_tenant on read.${table} using (false)`);
    const unseen = await answersOf('acme');
    for (const table of tables) await test.query(`alter policy of_tenant on read.${table} using ${POLICY}`);
    expect(new Set(Object.values(unseen))).toEqual(new Set([0]));
    expect(await answersOf('acme')).toEqual(before);
  });

  /** Counts the rows that each tenant query returns; the compiler requires new queries here. */
  const answersOf = async (name: string): Promise<Readonly<Record<TenantQuery | 'auditOfATime', number>>> => {
    const models = openReadModels(test.database, memoryDigests);
    const tenant = TenantId(name);
    const since = IsoTime('2020-01-01T00:00:00Z');
    const page = { tenant, limit: 10 };
    const session = SessionId(name);
    return {
      sessions: (await models.sessions(tenant)).length,
      sessionPage: (await models.sessionPage(page)).items.length,
      heldSessions: (await models.heldSessions(page)).items.length,
      compactionPage: (await models.compactionPage({ tenant, session }, page)).items.length,
      compactions: (await models.compactions(page)).length,
      audit: (await models.audit(page)).length,
      auditOfATime: (await models.audit({ ...page, since })).length,
      auditTotals: (await models.auditTotals({ tenant, by: 'type' })).events,
      auditEnd: (await models.auditEnd(tenant)) === undefined ? 0 : 1,
      auditReads: (await models.auditReads(page)).length,
      occupancy: (await models.occupancy({ tenant, session, from: Revision(0), to: Revision(99), width: 1 }))
        .length,
      activity: (
        await models.activity({
          ...{ tenant, session, from: Revision(0), to: Revision(99) },
          ...{ bins: 9, idleAfterMs: 1 },
        })
      ).bins.length,
      retainedTurns: (await models.retainedTurns({ tenant, session, from: 0, to: 99 })).length,
      milestones: (await models.milestones({ tenant, session, types: ['SessionOpened'] })).length,
      messageRevision:
        (await models.messageRevision({ tenant, session }, MessageId('none'))).upTo === undefined ? 0 : 1,
      usage: (await models.usage({ tenant, by: 'day' })).groups.length,
    };
  };

  it('evaluate the setting once per query, not per row', async () => {
    const plan = await test.queryAs(
      'acme',
      `explain (costs off) select * from read.sessions where tenant = 'acme' and session = 'acme'`,
    );
    const steps = plan.map((row) => String(row['QUERY PLAN']).trim());
    expect(steps).toContain(
      "One-Time Filter: (current_setting('palimpsest.tenant'::text, true) = 'acme'::text)",
    );
  });

  describe('read by the tenant role', () => {
    const WHO = sql<{
      who: string;
      tenant: string;
      pid: number;
    }>`select current_user::text as who, pg_backend_pid() as pid,
      coalesce(current_setting('palimpsest.tenant', true), '') as tenant`;
    const ask = async <Row>(tenant: string, query: RawBuilder<Row>) =>
      (await query.execute(test.database.asTenant(TenantId(tenant)))).rows;

    it('serve any number of concurrent queries, each for its own tenant', async () => {
      await fill();
      const names = Array.from({ length: 100 }, (_, number) => (number % 3 === 0 ? 'globex' : 'acme'));
      const found = await Promise.all(
        names.map((name) => ask(name, sql<{ tenant: string }>`select tenant from read.sessions`)),
      );
      expect(found).toEqual(names.map((tenant) => [{ tenant }]));
    });

    it.each([
      ['select * from read.sessions', undefined],
      ['select 1 / 0', '22012'],
      ['selec', '42601'],
      ['select * from read.projection_checkpoint', '42501'],
      ["insert into read.sessions (tenant) values ('acme')", '25006'],
    ])('survive the end of %s, and the connection’s next user has no tenant', async (text, code) => {
      const [asked] = await ask('acme', WHO);
      expect(asked).toMatchObject({ who: 'palimpsest_reader', tenant: 'acme' });
      const answer = ask('acme', sql.raw(text));
      if (code === undefined) await answer;
      else await expect(answer).rejects.toMatchObject({ code });
      const { rows } = await WHO.execute(test.database.db);
      expect(rows).toEqual([{ who: 'palimpsest', tenant: '', pid: asked?.pid }]);
      if (code !== undefined) await expect(ask('acme', sql.raw(text))).rejects.toMatchObject({ code });
    });

    it('retry after prepared statements were discarded', async () => {
      const clear = () => sql`deallocate all`.execute(test.database.db);
      await ask('acme', WHO);
      await clear();
      await expect(ask('acme', WHO)).rejects.toMatchObject({ code: '26000' });
      for (const tenant of ['acme', 'globex']) {
        expect(await ask(tenant, WHO)).toMatchObject([{ who: 'palimpsest_reader', tenant }]);
        await clear();
      }
    });

    it('support parameters and columns of every type', async () => {
      const values = { text: "it's ✓", whole: 2n ** 60n, real: 1.5, flag: true, none: null };
      const { text, whole, real, flag, none } = values;
      const [row] = await ask(
        'acme',
        sql`select ${text}::text as text, ${whole}::bigint as whole, ${real}::float8 as real, ${flag}::boolean as flag,
          ${none}::text as none, '{"a":[1]}'::jsonb as json`,
      );
      expect(row).toEqual({ ...values, json: { a: [1] } });
      for (const at of [
        '-000044-03-15T00:00:00.000Z',
        '2026-11-21T10:00:00.123Z',
        '+012345-01-01T00:00:00.000Z',
      ]) {
        const time = new Date(at);
        expect(
          await ask('acme', sql`select extract(epoch from ${time}::timestamptz)::float8 as seconds`),
        ).toEqual([{ seconds: time.getTime() / 1_000 }]);
      }
    });

    it('retry after a lost connection', async () => {
      const asked = ask('acme', sql`select pg_sleep(600)`);
      const isAsleep = sql<{ pid: number }>`select pid from pg_stat_activity where wait_event = 'PgSleep'`;
      while ((await isAsleep.execute(test.database.db)).rows.length === 0);
      await test.breakConnections();
      await expect(asked).rejects.toMatchObject({ code: 'postgres-unavailable' });
      expect(await ask('acme', WHO)).toMatchObject([{ who: 'palimpsest_reader', tenant: 'acme' }]);
    });

    it('use no transaction for a single statement', async () => {
      const own = test.database.asTenant(TenantId('acme'));
      await expect(own.transaction().execute(() => Promise.resolve())).rejects.toThrow(/one statement/);
      expect((await WHO.execute(test.database.db)).rows).toMatchObject([{ who: 'palimpsest' }]);
    });
  });

  it('belong to a role that owns nothing, bypasses no policy, and leaves no state on the connection', async () => {
    expect(
      await test.query(`select rolsuper or rolbypassrls or rolcreaterole or rolcanlogin as may,
        (select count(*)::integer from pg_class where relowner = pg_roles.oid) as owns
        from pg_roles where rolname = 'palimpsest_reader'`),
    ).toEqual([{ may: false, owns: 0 }]);
    await test.queryAs('acme', 'select 1');
    expect(
      await test.query("select current_user as who, current_setting('palimpsest.tenant', true) as tenant"),
    ).toEqual([{ who: 'palimpsest', tenant: '' }]);
    await expect(test.queryAs('acme', 'select * from read.projection_checkpoint')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(test.queryAs('acme', 'select * from public.blob')).rejects.toMatchObject({ code: '42501' });
  });
});

const EMPTY: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'now()',
  date: 'now()',
  jsonb: "'{}'",
  boolean: 'false',
  'double precision': '0',
};
