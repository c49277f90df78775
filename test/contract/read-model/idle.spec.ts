import { openReadModels } from '@app/adapters/read-model-postgres';
import { DEFAULT_PROFILE, type SessionEvent } from '@app/domain';
import { IsoTime, Tokens } from '@app/kernel';
import { appended, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: a session is found as idle by its own profile, to the instant and to the token. */
describe('idle sessions', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  /** A session whose next request is of that size, by the log's own word on each of its events. */
  const given = async (occupancy: number, ...events: readonly SessionEvent[]): Promise<void> => {
    const log = new ScriptedLog();
    log.append(events, undefined, { occupancy: Tokens(occupancy) });
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
  };
  /** The log records its events a second apart, from the first instant of 2026 on. */
  const at = (seconds: number): IsoTime => IsoTime(new Date(Date.UTC(2026, 0, 1) + seconds * 1_000));
  const idle = (seconds: number) => openReadModels(test.database).idleSessions(at(seconds));
  const profile = { ...DEFAULT_PROFILE, idleAfterMinutes: 30, idleAtShare: 0.5 };
  /** In a window of 1,000. */
  const resting = [opened({ profile }), appended('m-1', 400)];

  it('are found from the minute on that their profile says, wherever they are', async () => {
    await given(500, ...resting);
    expect(await idle(1 + 30 * 60 - 1)).toEqual([]);
    expect(await idle(1 + 30 * 60)).toEqual([{ tenant: TENANT, session: SESSION, revision: 1 }]);
  });

  it('are found from the share of their window on that their profile says', async () => {
    await given(499, opened({ profile }), appended('m-1', 399));
    expect(await idle(1e6)).toEqual([]);
  });

  it('are none where the profile knows no such time, or the window no end', async () => {
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

  it('go by the settings in force', async () => {
    const limits = { window: Tokens(1_000), windowSource: 'given' } as const;
    const changed = { ...profile, idleAfterMinutes: 60, idleAtShare: 0.4 };
    await given(500, ...resting, {
      type: 'SettingsChanged',
      data: { profile: changed, limits, changed: ['idleAfterMinutes', 'idleAtShare'] },
    });
    expect(await idle(2 + 60 * 60 - 1)).toEqual([]);
    expect(await idle(2 + 60 * 60)).toHaveLength(1);
  });

  it('are none any more once they are closed', async () => {
    await given(500, ...resting, { type: 'SessionClosed', data: { reason: 'done' } });
    expect(await idle(1e6)).toEqual([]);
  });
});
