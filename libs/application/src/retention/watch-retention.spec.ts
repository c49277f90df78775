import {
  endDueRetentions,
  PlaceLegalHold,
  PlaceLegalHoldHandler,
  type RetentionWatchOptions,
  SetRetention,
  SetRetentionHandler,
} from '@app/application';
import { Actor, IsoTime, MatterName, type TenantId } from '@app/kernel';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  recordedEvents,
  sessionRef,
} from '@app/testing';

const ref = sessionRef();
const START = IsoTime('2026-11-21T10:00:00Z');
const END = IsoTime('2026-12-21T10:00:00Z');
const noErasures = {
  retry: async () => {},
  protecting: <Result>(_: unknown, __: unknown, record: () => Promise<Result>) => record(),
};

const kept = async (): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref);
  const handler = new SetRetentionHandler({
    sessions: application.sessions,
    clock: { now: () => START },
    erasures: noErasures,
    keys: noErasures,
  });
  const input = { mode: 'compliance', until: END, mayShorten: false } as const;
  await handler.execute(new SetRetention(ref, input, caller));
  return application;
};

/** Looks once at `now`; the rows say that the session is due. */
const look = async (
  { sessions }: Application,
  now: IsoTime,
  erase: RetentionWatchOptions['erase'] = async () => true,
): Promise<{ readonly erased: number; readonly retried: readonly TenantId[]; readonly errors: number }> => {
  let [erased, errors] = [0, 0];
  const retried: TenantId[] = [];
  await endDueRetentions({
    sessions,
    readModels: {
      dueRetentions: async function* () {
        yield { ...ref, revision: 1 };
      },
    },
    worker: Actor('watcher'),
    clock: { now: () => now },
    erase: (...given) => {
      erased += 1;
      return erase(...given);
    },
    retry: async (tenant) => void retried.push(tenant),
    onError: () => {
      errors += 1;
    },
  });
  return { erased, retried, errors };
};
const ends = async ({ log }: Application): Promise<number> =>
  (await recordedEvents(log, ref)).filter(({ type }) => type === 'RetentionPeriodEnded').length;

describe('the watch of retention periods', () => {
  it('erases the content when the date has come, and records the end once', async () => {
    const application = await kept();
    expect(await look(application, END)).toEqual({ erased: 1, retried: [ref.tenant], errors: 0 });
    expect(await look(application, END)).toEqual({ erased: 0, retried: [], errors: 0 });
    expect(await ends(application)).toBe(1);
  });

  it('trusts the stream, not the rows', async () => {
    const application = await kept();
    expect(await look(application, START)).toMatchObject({ erased: 0 });
    expect(await ends(application)).toBe(0);
  });

  it('leaves held sessions', async () => {
    const application = await kept();
    const handler = new PlaceLegalHoldHandler({
      sessions: application.sessions,
      clock: { now: () => START },
      keys: noErasures,
    });
    const hold = { matter: MatterName('case-1'), reason: 'litigation' };
    await handler.execute(new PlaceLegalHold(ref, hold, caller));
    expect(await look(application, END)).toMatchObject({ erased: 0 });
  });

  it('asks again after a crash, and while the erasure waits', async () => {
    const application = await kept();
    expect(await look(application, END, () => Promise.reject(new Error('a crash')))).toMatchObject({
      errors: 1,
    });
    // Other erasures that the period had deferred do not wait for the approval of this one.
    expect(await look(application, END, async () => false)).toMatchObject({
      erased: 1,
      retried: [ref.tenant],
    });
    expect(await ends(application)).toBe(0);
    expect(await look(application, END)).toMatchObject({ erased: 1 });
    expect(await ends(application)).toBe(1);
  });
});
