import { openReadModels } from '@app/adapters/read-model-postgres';
import type { SessionEvent } from '@app/domain';
import { Actor, IsoTime, MatterName } from '@app/kernel';
import type { DueRetention } from '@app/ports';
import { memoryDigests } from '@app/testing';
import { appended, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: a retention period is found when its date has come, or has to move; a hold comes before it. */
describe('retention periods', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const given = async (...events: readonly SessionEvent[]): Promise<void> => {
    const log = new ScriptedLog();
    log.append(events);
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
  };
  /** The log records events one second apart, from the first instant of 2026 on. */
  const at = (seconds: number): IsoTime => IsoTime(new Date(Date.UTC(2026, 0, 1) + seconds * 1_000));
  const DAY = 86_400;
  const who = { by: Actor('key:1'), at: at(0) };
  const kept = (until: number, days?: number): SessionEvent => ({
    type: 'RetentionPeriodSet',
    data: {
      ...({ mode: 'governance', until: at(until), source: 'caller', ...who } as const),
      ...(days !== undefined && { days }),
    },
  });
  const matter = MatterName('case-1');
  const held: SessionEvent = { type: 'LegalHoldPlaced', data: { matter, reason: 'litigation', ...who } };
  const due = async (seconds: number, pageSize?: number) => {
    const found: DueRetention[] = [];
    for await (const one of openReadModels(test.database, memoryDigests).dueRetentions(at(seconds), pageSize))
      found.push(one);
    return found;
  };

  it('are due from their date on, with the time of the newest event that is no change of them', async () => {
    await given(opened(), appended('m-1', 10), kept(DAY));
    expect(await due(DAY - 1)).toEqual([]);
    expect(await due(DAY)).toEqual([{ tenant: TENANT, session: SESSION, revision: 2 }]);
  });

  it('are not due after their end, and while the session is held', async () => {
    await given(opened(), kept(DAY), held);
    expect(await due(2 * DAY)).toEqual([]);
    await test.clear();
    await given(opened(), kept(DAY), {
      type: 'RetentionPeriodEnded',
      data: { until: at(DAY), at: at(DAY) },
    });
    expect(await due(2 * DAY)).toEqual([]);
  });

  it('that count from the newest event are due when their date would move by a day', async () => {
    await given(opened(), kept(30 * DAY, 30), appended('m-1', 10));
    expect(await due(DAY)).toEqual([]);
    await test.clear();
    await given(opened(), kept(29 * DAY, 30), appended('m-1', 10));
    expect(await due(DAY)).toHaveLength(1);
  });

  it('are all found, be it that none of an earlier page has ended yet', async () => {
    await given(opened(), kept(DAY));
    // Others with the same date, and with dates a microsecond later.
    await test.query(`insert into read.sessions select (jsonb_populate_record(one, jsonb_build_object('session', 'due-' || n,
      'retain_until', one.retain_until + make_interval(secs => (n / 3) * 0.000001)))).*
      from read.sessions as one, generate_series(1, 8) as n`);
    const sessions = (await due(DAY + 1, 2)).map(({ session }) => session);
    expect(sessions).toHaveLength(9);
    expect(new Set(sessions)).toEqual(
      new Set([SESSION, ...Array.from({ length: 8 }, (_, n) => `due-${n + 1}`)]),
    );
  });

  it('are listed with the holds of a session, by matter', async () => {
    await given(opened(), kept(DAY), held);
    const { heldSessions } = openReadModels(test.database, memoryDigests);
    const [item] = (await heldSessions({ tenant: TENANT, matter, limit: 10 })).items;
    expect(item).toEqual({
      session: SESSION,
      holds: [{ matter, reason: 'litigation', ...who }],
      period: { mode: 'governance', until: at(DAY) },
    });
    const other = await heldSessions({ tenant: TENANT, matter: MatterName('case-2'), limit: 10 });
    expect(other.items).toEqual([]);
  });
});
