import { openProjector, openReadModels } from '@app/adapters/read-model-postgres';
import { type LogPosition, Revision, SessionId, sessionStream, tenantStream } from '@app/kernel';
import type { EventLog, ProjectionName, ProjectionStatus } from '@app/ports';
import { appended, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, TENANT } from './support/scripted-log.js';

const never = new AbortController().signal;
const ALL: readonly ProjectionName[] = ['sessions', 'compactions', 'compaction_turns', 'audit_events'];

/**
 * Guarantee: a projection that cannot take an event stops before it, visibly, and the others go on; it passes over the
 * event only when an operator has decided so, and then for good.
 */
describe('an event that one projection cannot take', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  let running: Running[] = [];
  let log: ScriptedLog;
  beforeEach(async () => {
    await test.clear();
    // Of the session's third event no row can be written.
    await test.query('alter table read.audit_events add constraint poison check (revision <> 2)');
    log = new ScriptedLog();
    log.append([opened(), appended('m-1', 1), appended('m-2', 1), appended('m-3', 1)]);
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    await test.query('alter table read.audit_events drop constraint if exists poison');
  });

  const options = () => ({ database: test.database, subscriptions: log, log: skipsIn(log) });
  const start = (): Running => {
    const one = new Running(options());
    running = [...running, one];
    return one;
  };
  const audit = async (): Promise<ProjectionStatus | undefined> =>
    (await openReadModels(test.database).status()).find(({ projection }) => projection === 'audit_events');
  const stopped = async (one: Running, position: LogPosition): Promise<ProjectionStatus | undefined> => {
    for (;;) {
      const came = await one.reached(position).then(
        () => undefined,
        (error: unknown) => error,
      );
      const at = await audit();
      if (came !== undefined && at?.stopped) return at;
    }
  };
  const revisions = async () => (await test.table('audit_events')).map(({ revision }) => Number(revision));
  const skip = (): LogPosition =>
    log.append([
      {
        type: 'ProjectionSkipped',
        data: { projection: 'audit_events', revision: Revision(2), position: '0', reason: 'known defect' },
      },
    ]);

  it('stops it alone, says where, and keeps nobody waiting for ever', async () => {
    const one = start();
    const position = log.events[2]?.position;
    expect(await stopped(one, log.last())).toMatchObject({
      position: log.events[1]?.position,
      stopped: { event: { position, stream: 'session-acme.s-1', revision: 2 }, error: 'error 23514' },
    });
    await expect(one.reached(log.last())).rejects.toMatchObject({ code: 'projection-stopped' });
    log.append([appended('m-4', 1)]);
    await expect(one.reached(log.last())).rejects.toMatchObject({ code: 'projection-stopped' });
    expect(await test.table('sessions')).toMatchObject([{ messages: 4n }]);
    expect(await revisions()).toEqual([0, 1]);
  });

  it('is passed over when an operator has decided so, and what comes after it is not lost', async () => {
    const one = start();
    await stopped(one, log.last());
    const last = skip();
    await one.projector.retry('audit_events');
    await untilReached(one, last);
    expect(await revisions()).toEqual([0, 1, 3, 4]);
    expect((await test.table('audit_events')).at(-1)).toMatchObject({
      type: 'ProjectionSkipped',
      payload: { projection: 'audit_events', revision: 2, reason: 'known defect' },
    });
    expect((await audit())?.stopped).toBeNull();
  });

  it('is not passed over where nobody has decided: it is tried again, and stops again', async () => {
    const one = start();
    const before = await stopped(one, log.last());
    await one.projector.retry('audit_events');
    const again = await stopped(one, log.last());
    expect(again?.stopped?.event).toEqual(before?.stopped?.event);
    expect(await revisions()).toEqual([0, 1]);
  });

  it('is taken by the next process that can', async () => {
    await stopped(start(), log.last());
    for (const one of running.splice(0)) await one.stop();
    await test.query('alter table read.audit_events drop constraint poison');
    await untilReached(start(), log.last());
    expect(await revisions()).toEqual([0, 1, 2, 3]);
    expect((await audit())?.stopped).toBeNull();
  });

  it('stops a rebuild, unless an operator has decided', async () => {
    await stopped(start(), log.last());
    for (const one of running.splice(0)) await one.stop();
    const projector = openProjector(options());
    await expect(projector.rebuild(ALL, never)).rejects.toMatchObject({ code: 'projection-stopped' });
    skip();
    await projector.rebuild(ALL, never);
    expect(await revisions()).toEqual([0, 1, 3, 4]);
    expect(await audit()).toMatchObject({ position: log.last(), stopped: null });
  });

  it('stays stopped for a stand-by that takes over, which projects the rest', async () => {
    const [first, second] = [start(), start()];
    await stopped(first, log.last());
    await first.stop();
    running = running.filter((one) => one !== first);
    log.append([appended('m-4', 1)]);
    for (;;) {
      const [session] = await test.table('sessions');
      if (session?.messages === 4n) break;
    }
    expect(await stopped(second, log.last())).toMatchObject({ stopped: { event: { revision: 2 } } });
  });
});

/**
 * Guarantee: an event that nobody can read stops what is made of such events, each projection before it and visibly; the
 * others go on, and an operator can decide as for any other.
 */
describe('an event that nobody can read', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  let log: ScriptedLog;
  let running: Running;
  beforeEach(async () => {
    await test.clear();
    log = new ScriptedLog();
  });
  afterEach(() => running.stop());
  const start = (): void => {
    running = new Running({ database: test.database, subscriptions: log, log: skipsIn(log) });
  };
  const stopped = async (count: number): Promise<readonly ProjectionStatus[]> => {
    for (;;) {
      const found = (await openReadModels(test.database).status()).filter((one) => one.stopped?.event);
      if (found.length === count) return found;
    }
  };
  const OF_TENANTS: readonly ProjectionName[] = ['tenants', 'api_keys', 'audit_reads'];

  it('stops the projections of sessions where it is a session’s, and those of tenants go on', async () => {
    const before = log.append([opened(), appended('m-1', 1)]);
    const bad = log.appendUnreadable();
    log.append(
      [{ type: 'TenantRegistered', data: { tenantId: TENANT, name: 'Acme' } }],
      tenantStream(TENANT),
    );
    start();
    const found = await stopped(5);
    expect(found.map(({ projection }) => projection)).not.toEqual(expect.arrayContaining([...OF_TENANTS]));
    expect(new Set(found.map(({ position }) => position))).toEqual(new Set([before]));
    const stop = {
      event: { position: bad, stream: 'session-acme.s-1', revision: 2 },
      error: 'corrupt-event',
    };
    for (const one of found) expect(one.stopped).toMatchObject(stop);
    while ((await test.table('tenants')).length === 0);
    await expect(running.reached(log.last())).rejects.toMatchObject({ code: 'projection-stopped' });
  });

  it('stops the projections of tenants where it is a tenant’s, and those of sessions alone go on', async () => {
    log.append([opened()]);
    const bad = log.appendUnreadable('LimitsChanged', tenantStream(TENANT));
    log.append([appended('m-1', 1)]);
    start();
    // Decisions about a tenant are audit rows too, and an audit has no hole.
    const affected: readonly ProjectionName[] = [...OF_TENANTS, 'audit_events'];
    const found = await stopped(affected.length);
    expect(found.map(({ projection }) => projection).sort()).toEqual([...affected].sort());
    for (const one of found) expect(one.stopped?.event?.position).toBe(bad);
    while ((await test.table('sessions'))[0]?.messages !== 1n);
    expect(await test.table('audit_events')).toHaveLength(1);
  });

  it('is passed over where an operator has decided so, in a rebuild too, and others’ sessions are whole', async () => {
    log.append([opened(), appended('m-1', 1)]);
    log.appendUnreadable();
    const other = sessionStream(TENANT, SessionId('s-2'));
    log.append([opened(), appended('m-1', 1)], other);
    start();
    const found = await stopped(5);
    for (const { projection } of found) {
      const data = { projection, revision: Revision(2), position: '0', reason: 'known defect' };
      log.append([{ type: 'ProjectionSkipped', data }]);
    }
    for (const { projection } of found) await running.projector.retry(projection);
    await untilReached(running, log.last());
    const whole = async () => [
      await test.table('sessions'),
      (await test.table('audit_events')).map(({ session, revision }) => `${session}/${revision}`),
    ];
    const rows = await whole();
    expect(rows[0]).toMatchObject([
      { session: 's-1', messages: 1n },
      { session: 's-2', messages: 1n },
    ]);
    expect(rows[1]).toEqual([
      's-1/0',
      's-1/1',
      's-2/0',
      's-2/1',
      's-1/3',
      's-1/4',
      's-1/5',
      's-1/6',
      's-1/7',
    ]);
    await running.projector.rebuild(
      found.map(({ projection }) => projection),
      never,
    );
    expect(await whole()).toEqual(rows);
  });
});

/** It may still be told that the projection has stopped, until it is tried again. */
const untilReached = async (one: Running, position: LogPosition): Promise<void> => {
  for (;;) {
    const isDone = await one.reached(position).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
};

const skipsIn = (log: ScriptedLog): Pick<EventLog, 'readForwards' | 'readBackwards'> => ({
  async *readForwards(stream, { from = Revision(0) } = {}) {
    yield* log.events.filter((event) => event.stream === stream && event.revision >= from);
  },
  async *readBackwards(stream) {
    yield* log.events.filter((event) => event.stream === stream).reverse();
  },
});
