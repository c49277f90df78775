import { openProjector } from '@app/adapters/read-model-postgres';
import { AppError } from '@app/kernel';
import type { ProjectionName } from '@app/ports';
import { memoryDigests } from '@app/testing';
import fc from 'fast-check';
import { append, logOf, scripts } from './support/random-log.js';
import { type Snapshot, TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog } from './support/scripted-log.js';

/** All projections of sessions. */
const ALL: readonly ProjectionName[] = [
  'sessions',
  'compactions',
  'compaction_turns',
  'audit_events',
  'usage_by_day',
];
const isOfSessions = ({ projection }: Readonly<Record<string, unknown>>): boolean =>
  ALL.some((name) => name === projection);
const SESSION_WITH_ALL = [{ session: 0, what: 6, size: 0 }] as const;
const never = new AbortController().signal;

/** Guarantee: a rebuild results in the projected rows, and the old ones serve until it has finished. */
describe('rebuild', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const projected = async (log: ScriptedLog): Promise<Snapshot> => {
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
    return test.snapshot();
  };
  const projectorOf = (log: ScriptedLog) =>
    openProjector({ database: test.database, subscriptions: log, digests: memoryDigests });
  const schemas = async () =>
    (await test.query("select nspname from pg_namespace where nspname like 'read%'")).map(
      (row) => row.nspname,
    );

  // Holds case 29.
  it('results in identical rows, and reports their number', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        await test.clear();
        const log = logOf(script);
        const before = await projected(log);
        const results = await projectorOf(log).rebuild(ALL, never);
        const after = await test.snapshot();
        expect({ ...after, checkpoints: [] }).toEqual({ ...before, checkpoints: [] });
        expect(results).toEqual(
          ALL.map((projection) => ({
            projection,
            events: log.events.length,
            rows: after[tableOf(projection)].length,
          })),
        );
        expect(await schemas()).toEqual(['read']);
      }),
      { numRuns: 10 },
    );
  });

  it('begins anew if content is erased meanwhile', async () => {
    const log = logOf(SESSION_WITH_ALL);
    const before = await projected(log);
    const seen: number[] = [];
    let erased: Promise<unknown> | undefined;
    await projectorOf(log).rebuild(ALL, never, (fraction) => {
      seen.push(fraction);
      erased ??= test.query("select nextval('keys.generation')");
    });
    await erased;
    expect(seen.filter((fraction) => fraction === 1)).toHaveLength(2);
    expect({ ...(await test.snapshot()), checkpoints: [] }).toEqual({ ...before, checkpoints: [] });
  });

  it('repairs damaged rows of the requested projections only', async () => {
    const log = logOf(SESSION_WITH_ALL);
    const before = await projected(log);
    await test.query('delete from read.audit_events where revision > 3');
    await test.query('update read.sessions set occupancy = 1');
    await test.query('delete from read.compactions');
    await projectorOf(log).rebuild(['audit_events', 'sessions'], never);
    expect(await test.snapshot()).toEqual({ ...before, compactions: [] });
  });

  it('recreates tables with their indexes, constraints and grants', async () => {
    const shape = () =>
      test.query(
        `select c.relname, c.relkind, pg_get_indexdef(c.oid) as index,
          (select array_agg(conname order by conname)::text from pg_constraint where conrelid = c.oid) as constraints,
          (select array_agg(attname || ' ' || atttypid::regtype || attnotnull order by attnum)::text
            from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
          c.relrowsecurity as secured,
          (select array_agg(polname || ' ' || polcmd::text || polpermissive::text || polroles::regrole[]::text || pg_get_expr(polqual, polrelid)
            || coalesce(pg_get_expr(polwithcheck, polrelid), '') order by polname)::text from pg_policy where polrelid = c.oid) as policies,
          has_table_privilege('pg_monitor', c.oid, 'select') as is_shown, has_table_privilege('pg_monitor', c.oid, 'insert') as is_open
        from pg_class as c where relnamespace = 'read'::regnamespace order by relname`.replaceAll(
          /has_table_privilege\(([^)]*)\)/g,
          "(c.relkind = 'r' and has_table_privilege($1))",
        ),
      );
    const log = logOf(SESSION_WITH_ALL);
    await projected(log);
    await test.query('grant select on read.sessions to pg_monitor');
    await test.query(
      'create policy "as ever" on read.sessions as restrictive for update using (turns > 0) with check (turns > 1)',
    );
    const before = await shape();
    await projectorOf(log).rebuild(ALL, never);
    expect(await shape()).toEqual(before);
    await test.query('drop policy "as ever" on read.sessions');
    expect(before.find((row) => row.relname === 'sessions')).toMatchObject({
      secured: true,
      policies: expect.stringMatching(/as ever wf.*turns > 0.*turns > 1.*of_tenant rt/s),
      is_shown: true,
      is_open: false,
    });
  });

  it('works beside a projector during new events', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(40), scripts(40), async (script, more) => {
        await test.clear();
        const log = logOf(script);
        const running = new Running({ database: test.database, subscriptions: log });
        await running.reached(await log.head());
        const seen: number[] = [];
        const live = log.subscriptions;
        log.beforeItem = async (_, count, subscription) => {
          const step = more[count];
          if (subscription <= live || !step) return;
          append(log, [step]);
          seen.push((await test.table('audit_events')).length);
        };
        await running.projector.rebuild(ALL, never);
        log.beforeItem = () => {};
        append(log, more);
        await running.reached(await log.head());
        await running.stop();
        const { checkpoints, ...rows } = await test.snapshot();
        expect(Math.min(...seen)).toBeGreaterThanOrEqual(logOf(script).events.length);
        expect(checkpoints.filter(isOfSessions).map((row) => row.events)).toEqual(
          ALL.map(() => BigInt(log.events.length)),
        );

        await test.clear();
        const { checkpoints: _, ...expected } = await projected(log);
        expect(rows).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });

  it.each(['caught-up', 'checkpoint'] as const)(
    'finishes if the newest events belong to no session (the log sends %s)',
    async (announces) => {
      const log = logOf(SESSION_WITH_ALL);
      log.announces = announces;
      const { checkpoints: _, ...before } = await projected(log);
      log.appendForeign();
      await projectorOf(log).rebuild(ALL, never);
      const { checkpoints, ...after } = await test.snapshot();
      expect(after).toEqual(before);
      expect(checkpoints.filter(isOfSessions).map((row) => row.position)).toEqual(ALL.map(() => log.last()));
    },
  );

  it('of an empty log leaves empty tables', async () => {
    const results = await projectorOf(new ScriptedLog()).rebuild(ALL, never);
    expect(results).toEqual(ALL.map((projection) => ({ projection, events: 0, rows: 0 })));
  });

  it.each(['log', 'database', 'signal'] as const)(
    'leaves the old rows if interrupted by its %s, and the next one starts over',
    async (what) => {
      const log = logOf([...SESSION_WITH_ALL, ...SESSION_WITH_ALL]);
      const before = await projected(log);
      const stop = new AbortController();
      log.beforeItem = async (_, count) => {
        if (count !== 30) return;
        if (what === 'log') throw new AppError('event-store-unavailable', 'gone');
        if (what === 'database') await test.breakConnections();
        stop.abort(new Error('no longer wanted'));
      };
      await expect(projectorOf(log).rebuild(ALL, stop.signal)).rejects.toThrow();
      expect(await test.snapshot()).toEqual(before);

      log.beforeItem = () => {};
      await test.query('create schema if not exists read_rebuild');
      await test.query('create table if not exists read_rebuild.sessions (left_over text)');
      await projectorOf(log).rebuild(ALL, never);
      expect(await test.snapshot()).toEqual(before);
    },
  );

  it('waits while another one runs', async () => {
    const log = logOf(SESSION_WITH_ALL);
    const before = await projected(log);
    await Promise.all([1, 2, 3].map(() => projectorOf(log).rebuild(ALL, never)));
    expect(await test.snapshot()).toEqual(before);
  });

  it('rejects unknown names', async () => {
    const names: readonly string[] = ['sessions', 'read.sessions; drop table'];
    // As from a command line.
    const rebuilding = projectorOf(new ScriptedLog()).rebuild(names as readonly ProjectionName[], never);
    await expect(rebuilding).rejects.toMatchObject({ code: 'unknown-projection' });
  });
});

const tableOf = (projection: ProjectionName): ProjectionName => projection;
