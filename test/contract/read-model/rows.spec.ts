import { openReadModels } from '@app/adapters/read-model-postgres';
import type { SessionEvent } from '@app/domain';
import { PinId, SessionId, sessionStream, TenantId, Tokens } from '@app/kernel';
import { memoryDigests } from '@app/testing';
import { appended, billed, everything, opened, requested, started } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { project } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: every fact about a session is in the rows, in its place. */
describe('read models', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const given = async (...events: readonly SessionEvent[]): Promise<void> => {
    const log = new ScriptedLog();
    log.append(events);
    await project(test.database, log);
  };
  const models = () => openReadModels(test.database, memoryDigests);
  const session = async () => (await models().sessions(TENANT))[0];

  describe('of a session with every event', () => {
    const EVENTS = everything('words');

    it('have one audit row per event, in log order', async () => {
      await given(...EVENTS);
      const rows = await models().audit({ tenant: TENANT, limit: 1_000 });
      expect(rows.map((row) => row.type)).toEqual(EVENTS.map((event) => event.type).reverse());
      expect(rows.map((row) => row.revision)).toEqual(EVENTS.map((_, revision) => revision).reverse());
      expect(new Set(rows.map((row) => row.type)).size).toBe(49);
      expect(rows).toMatchSnapshot();
    });

    it('have its current state', async () => {
      await given(...EVENTS);
      expect(await session()).toEqual({
        session: SESSION,
        title: 'Dates',
        agent: 'codex',
        project: null,
        labels: { team: 'core', ticket: '7' },
        turns: 3,
        messages: 5,
        occupancy: 650, // From the newest event with a size.
        window: 1_000,
        state: 'normal',
        compactions: 1,
        revision: EVENTS.length - 1,
        profile: 'core',
        model: 'claude-x',
        openedAt: '2026-01-01T00:00:00.000Z',
        lastActivityAt: new Date(Date.UTC(2026, 0, 1) + (EVENTS.length - 1) * 1_000).toISOString(),
      });
      expect((await test.table('sessions'))[0]).toMatchObject({ pivot: 'c-4' });
    });

    it('have one row per compaction, and one per turn that it covered', async () => {
      await given(...EVENTS);
      expect(await test.table('compactions')).toMatchSnapshot();
      expect(await test.table('compaction_turns')).toMatchSnapshot();
      expect(await models().unfinishedCompactions()).toEqual([
        { tenant: TENANT, session: SESSION, compactionId: 'c-5' },
      ]);
    });

    it('report their checkpoints', async () => {
      const log = new ScriptedLog();
      log.append(EVENTS);
      await project(test.database, log);
      const status = await models().status();
      expect(status.map(({ projection, position, events }) => ({ projection, position, events }))).toEqual(
        [
          ...['sessions', 'compactions', 'compaction_turns', 'audit_events', 'usage_by_day'],
          ...['tenants', 'api_keys', 'audit_reads'],
        ].map((projection, at) => ({
          projection,
          position: log.last(),
          events: at < 5 ? EVENTS.length : 0, // Session projections.
        })),
      );
    });
  });

  describe('occupancy of a session', () => {
    it('is initially that of the fixed parts', async () => {
      await given(opened());
      expect(await session()).toMatchObject({ occupancy: 100, state: 'normal' });
    });

    it('comes from the last event of a command, and is not computed here', async () => {
      const log = new ScriptedLog();
      log.append([opened(), appended('m-1', 500), appended('m-2', 500)]);
      log.append([billed(10)], undefined, { occupancy: Tokens(960) });
      log.append([appended('m-3', 500)]);
      await project(test.database, log);
      expect(await session()).toMatchObject({ occupancy: 960, state: 'critical', messages: 3 });
    });

    it('comes from the newest event with a size', async () => {
      const pin = { pinId: PinId('p'), kind: 'plan', text: 'x', tokens: Tokens(1) } as const;
      await given(opened(), { type: 'ContentPinned', data: { pin, occupancyAfter: Tokens(990) } });
      expect(await session()).toMatchObject({ occupancy: 990, state: 'blocking' });
    });
  });

  it('of a session without an opening event contain its audit only', async () => {
    await given(appended('m-1', 10), started('c-1'));
    expect(await models().sessions(TENANT)).toEqual([]);
    expect(await test.table('compactions')).toEqual([]);
    expect(await models().audit({ tenant: TENANT, limit: 10 })).toHaveLength(2);
  });

  it('separate tenants', async () => {
    const log = new ScriptedLog();
    const other = TenantId('other');
    log.append([opened()]);
    log.append([opened(), requested('c-1')], sessionStream(other, SESSION));
    log.append([opened()], sessionStream(other, SessionId('s-2')));
    await project(test.database, log);
    expect((await models().sessions(TENANT)).map((row) => row.session)).toEqual(['s-1']);
    expect((await models().sessions(other)).map((row) => row.session)).toEqual(['s-2', 's-1']);
    expect(await models().audit({ tenant: TENANT, limit: 10 })).toHaveLength(1);
    expect(await models().unfinishedCompactions()).toEqual([
      { tenant: other, session: 's-1', compactionId: 'c-1' },
    ]);
  });

  it('page an audit by position, with any filter', async () => {
    const log = new ScriptedLog();
    log.append([opened(), appended('m-1', 1), appended('m-2', 1), requested('c-1'), appended('m-3', 1)]);
    await project(test.database, log);
    const audit = (filter: object) => models().audit({ tenant: TENANT, limit: 2, ...filter });
    const first = await audit({});
    const second = await audit({ after: first.at(-1) });
    const third = await audit({ after: second.at(-1) });
    expect([first, second, third].map((page) => page.map((row) => row.revision))).toEqual([
      [4, 3],
      [2, 1],
      [0],
    ]);
    expect((await audit({ types: ['MessageAppended'] })).map((row) => row.revision)).toEqual([4, 2]);
    expect(await audit({ session: SessionId('s-2') })).toEqual([]);
    const times = { since: '2026-01-01T00:00:01.000Z', until: '2026-01-01T00:00:02.000Z' };
    expect((await audit(times)).map((row) => row.revision)).toEqual([1]);
    expect(await audit({ limit: 0 })).toEqual([]);
  });
});
