import { openReadModels } from '@app/adapters/read-model-postgres';
import { DEFAULT_PROFILE, type SessionEvent } from '@app/domain';
import { IsoTime, Revision, Tokens } from '@app/kernel';
import { memoryDigests } from '@app/testing';
import { appended, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: sessions become idle by their own profile, exact to the instant and the token. */
describe('idle sessions', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  /** Appends events, the last with the size of the session's next request. */
  const given = async (occupancy: number, ...events: readonly SessionEvent[]): Promise<void> => {
    const log = new ScriptedLog();
    log.append(events, undefined, { occupancy: Tokens(occupancy) });
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
  };
  /** The log records events one second apart, from the first instant of 2026 on. */
  const at = (seconds: number): IsoTime => IsoTime(new Date(Date.UTC(2026, 0, 1) + seconds * 1_000));
  const idle = (seconds: number) => openReadModels(test.database, memoryDigests).idleSessions(at(seconds));
  const profile = { ...DEFAULT_PROFILE, idleAfterMinutes: 30, idleAtShare: 0.5 };
  /** A session at 400 of 1,000 tokens. */
  const resting = [opened({ profile }), appended('m-1', 400)];

  it('are found from their profile’s idle time on, in any tenant', async () => {
    await given(500, ...resting);
    expect(await idle(1 + 30 * 60 - 1)).toEqual([]);
    expect(await idle(1 + 30 * 60)).toEqual([{ tenant: TENANT, session: SESSION, revision: 1 }]);
  });

  it('are found from their profile’s share of the window on', async () => {
    await given(499, opened({ profile }), appended('m-1', 399));
    expect(await idle(1e6)).toEqual([]);
  });

  it('exclude profiles without idle time, and unlimited windows', async () => {
    await given(500, opened({ profile: { ...profile, idleAfterMinutes: 0 } }), appended('m-1', 400));
    expect(await idle(1e6)).toEqual([]);
    await test.clear();
    await given(
      500,
      opened({ profile, limits: { window: Tokens(0), windowSource: 'given' } }),
      appended('m-1', 400),
    );
    expect(await idle(1e6)).toEqual([]);
  });

  it('follow the current settings', async () => {
    const limits = { window: Tokens(1_000), windowSource: 'given' } as const;
    const changed = { ...profile, idleAfterMinutes: 60, idleAtShare: 0.4 };
    await given(500, ...resting, {
      type: 'SettingsChanged',
      data: { profile: changed, limits, changed: ['idleAfterMinutes', 'idleAtShare'] },
    });
    expect(await idle(2 + 60 * 60 - 1)).toEqual([]);
    expect(await idle(2 + 60 * 60)).toHaveLength(1);
  });

  it('exclude closed sessions', async () => {
    await given(500, ...resting, { type: 'SessionClosed', data: { reason: 'done' } });
    expect(await idle(1e6)).toEqual([]);
  });

  it('between two events count nothing in the occupancy over time, and are listed', async () => {
    await given(500, opened({ profile }), appended('m-1', 1), appended('m-2', 1), appended('m-3', 1));
    await test.query('update read.audit_events set occupancy = 100 * revision');
    await test.query(
      "update read.audit_events set recorded_at = recorded_at + interval '1 hour' where revision >= 2",
    );
    const activity = await openReadModels(test.database, memoryDigests).activity({
      ...{ tenant: TENANT, session: SESSION, from: Revision(0), to: Revision(3) },
      ...{ bins: 4, idleAfterMs: 300_000 },
    });
    expect(activity).toMatchObject({
      activeMs: 2_000,
      idle: [{ revision: 2, from: at(1), to: at(3_602), activeMs: 1_000 }],
      bins: [
        { revision: 0, activeMs: 0, occupancy: 0 },
        { revision: 2, activeMs: 1_000, occupancy: 200, min: 100, max: 200 },
        { revision: 3, activeMs: 2_000, occupancy: 300 },
      ],
    });
  });

  it('are those between the writing of imported messages, not between their recording', async () => {
    const written = (id: string, createdAt?: IsoTime) => {
      const { type, data } = appended(id, 1);
      return {
        type,
        data: { ...data, message: { ...data.message, ...(createdAt && { createdAt }) } },
      } as const;
    };
    const longBefore = (seconds: number) => at(seconds - 90 * 24 * 3_600);
    const turn = { type: 'TurnCompleted', data: { turn: 1, stopReason: 'end_turn' } } as const;
    const imported = [
      written('m-1', longBefore(0)),
      written('m-2', longBefore(40)),
      turn,
      written('m-3', longBefore(7_200)),
    ];
    await given(500, opened({ profile }), ...imported, written('m-4'));
    await test.query('update read.audit_events set occupancy = 100 * revision');
    const activity = await openReadModels(test.database, memoryDigests).activity({
      ...{ tenant: TENANT, session: SESSION, from: Revision(0), to: Revision(5) },
      ...{ bins: 4, idleAfterMs: 300_000 },
    });
    expect(activity.idle).toMatchObject([
      { revision: 4, from: longBefore(41), to: longBefore(7_200), activeMs: 42_000 },
      { revision: 5, from: longBefore(7_200), to: at(5), activeMs: 42_000 },
    ]);
    expect(activity.bins[0]).toMatchObject({ revision: 1, at: longBefore(0), activeMs: 1_000 });
  });
});
