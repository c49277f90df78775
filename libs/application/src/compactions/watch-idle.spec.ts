import { ChangeSettings, watchIdle } from '@app/application';
import { Actor, IsoTime } from '@app/kernel';
import type { IdleSession } from '@app/ports';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  sessionRef,
} from '@app/testing';

const ref = sessionRef();
const NOW = IsoTime('2026-11-21T10:00:00Z');

const resting = async (idleAfterMinutes = 30): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref);
  const change = { overrides: { idleAfterMinutes, idleAtShare: 0.5 } };
  await application.commands.execute(new ChangeSettings(ref, change, caller));
  await playTurns(application, ref, 0, 14);
  return application;
};
/** The session as its row says, so many events ago. */
const rowOf = async ({ sessions }: Application, ago = 0): Promise<IdleSession> => {
  const { revision } = await sessions.load(ref);
  return { ...ref, revision: (revision ?? 0) - ago };
};

/** Looks once for each answer of the rows, then ends. */
const watch = async (
  { sessions }: Application,
  answers: readonly (readonly IdleSession[] | Error)[],
): Promise<{ readonly asked: readonly IsoTime[]; readonly errors: readonly unknown[] }> => {
  const stop = new AbortController();
  const asked: IsoTime[] = [];
  const errors: unknown[] = [];
  const left = [...answers];
  await watchIdle(
    {
      sessions,
      worker: Actor('watcher'),
      clock: { now: () => NOW },
      onError: (error) => errors.push(error),
      pause: async () => {
        if (left.length === 0) stop.abort();
      },
      readModels: {
        idleSessions: async (now) => {
          asked.push(now);
          const answer = left.shift();
          if (answer instanceof Error) throw answer;
          return answer ?? [];
        },
      },
    },
    stop.signal,
  );
  return { asked, errors };
};
const requests = async ({ log }: Application) =>
  (await recordedEvents(log, ref)).filter(({ type }) => type === 'CompactionRequested');

describe('the idle watcher', () => {
  it('requests a compaction of a session that its profile calls idle', async () => {
    const application = await resting();
    const { asked } = await watch(application, [[await rowOf(application)]]);
    expect(asked).toEqual([NOW]);
    expect(await requests(application)).toMatchObject([{ data: { trigger: 'idle', turn: 14 } }]);
  });

  // Holds rule 5.7.
  it('requests it once over repeated checks', async () => {
    const application = await resting();
    const row = await rowOf(application);
    await watch(application, [[row], [row], [await rowOf(application)]]);
    expect(await requests(application)).toHaveLength(1);
  });

  it('skips a session with activity since its row was written', async () => {
    const application = await resting();
    await watch(application, [[await rowOf(application, 1)]]);
    expect(await requests(application)).toEqual([]);
  });

  it('skips a session whose profile no longer compacts idle sessions', async () => {
    const application = await resting(0);
    await watch(application, [[await rowOf(application)]]);
    expect(await requests(application)).toEqual([]);
  });

  it('continues after an error with the other sessions and with the next check', async () => {
    const application = await resting();
    const row = await rowOf(application);
    const { errors } = await watch(application, [new Error('away'), [row]]);
    expect(errors).toHaveLength(1);
    expect(await requests(application)).toHaveLength(1);
  });

  it('starts with a pause, so that a short-lived process requests nothing', async () => {
    const application = await resting();
    expect((await watch(application, [])).asked).toEqual([]);
  });
});
