import { openReadModels } from '@app/adapters/read-model-postgres';
import { AppError, type LogPosition, SessionId, type StreamName, sessionStream } from '@app/kernel';
import type { ProjectionStatus } from '@app/ports';
import { appended, everything, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, TENANT } from './support/scripted-log.js';

/** Guarantee: an event that cannot be projected stops what cannot take it in front of it; an audit has no hole. */
describe('a projector that meets', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  let running: Running;
  afterEach(() => running.stop().catch(() => {}));
  const projecting = (log: ScriptedLog) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    running = new Running({ database: test.database, subscriptions: log, onError });
    return { running, errors };
  };
  const status = () => openReadModels(test.database).status();
  const untilStopped = async (count: 1 | 'all'): Promise<readonly ProjectionStatus[]> => {
    for (;;) {
      const rows = await status();
      if (rows.filter(({ stopped }) => stopped !== null).length === (count === 'all' ? rows.length : count))
        return rows;
    }
  };
  const projectedUpTo = async (position: LogPosition): Promise<void> => {
    const { checkpoints, audit_events } = await test.snapshot();
    expect(checkpoints.map((row) => row.position)).toEqual(checkpoints.map(() => position));
    expect(audit_events.at(-1)?.position).toBe(position);
  };

  it('an event that nobody can read, in a stream that is nobody’s, stops before it', async () => {
    const log = new ScriptedLog();
    const good = log.append(everything('words'));
    log.appendUnreadable('Foreign', 'session-without-an-owner' as StreamName);
    log.append(everything('words'));
    const { errors } = projecting(log);
    await untilStopped('all');
    expect(errors.length).toBeGreaterThan(1);
    await projectedUpTo(good);
    expect((await status())[0]?.stopped).toMatchObject({ event: null, error: 'corrupt-event' });
  });

  it('an event that no row can hold stops before it, in the middle of a batch too', async () => {
    const log = new ScriptedLog();
    const good = log.append([...everything('words'), ...everything('words')]);
    log.append([appended('m-9', 1)], undefined, { occupancy: Number.NaN as never });
    log.append([appended('m-10', 1)]);
    projecting(log);
    const [sessions, ...others] = await untilStopped(1);
    expect(sessions).toMatchObject({ position: good, stopped: { error: 'error 22P02' } });
    expect(others.map(({ stopped }) => stopped)).toEqual(others.map(() => null));
  });

  it('an event in a stream that is no session’s stops before it', async () => {
    const log = new ScriptedLog();
    const good = log.append([opened()]);
    // Nobody could append to it through this service.
    log.append([opened()], 'session-without-an-owner' as StreamName);
    projecting(log);
    await untilStopped('all');
    await projectedUpTo(good);
  });

  it('a bad moment tries again', async () => {
    const log = new ScriptedLog();
    log.append(everything('words'));
    let failures = 0;
    log.beforeItem = (_, count) => {
      if (count !== 3 || failures === 2) return;
      failures += 1;
      throw new Error('a defect that shows now and then');
    };
    const { running, errors } = projecting(log);
    await running.reached(log.last());
    await running.stop();
    expect(errors.length).toBeGreaterThan(0);
    await projectedUpTo(log.last());
  });

  it('no log at all waits for it, however long', async () => {
    const log = new ScriptedLog();
    log.append(everything('words'));
    let failures = 0;
    log.beforeItem = () => {
      failures += 1;
      if (failures <= 6) throw new AppError('event-store-unavailable', 'gone');
    };
    const { running } = projecting(log);
    await running.reached(log.last());
    await running.stop();
    await projectedUpTo(log.last());
  });

  it.each([
    ['ids and texts that no column takes', '\0', '\ud800', 'c-\udc00\0'],
    ['quotes, braces and backslashes', '{"a\\",null}', "'; drop schema read --", 'NULL'],
  ])('%s keeps what can be kept', async (_, text, odd, id) => {
    const log = new ScriptedLog();
    const [requested, started, completed] = [
      'CompactionRequested',
      'CompactionStarted',
      'CompactionCompleted',
    ].map((type) => everything(text).findLast((event) => event.type === type));
    const withId = (event: typeof requested) =>
      event ? [{ ...event, data: { ...event.data, compactionId: id } } as typeof event] : [];
    log.append([opened({ model: text, systemPrompt: text }), appended(`m-3${odd}`, 5)]);
    log.append([appended('m-3', 7), ...withId(requested), ...withId(started)]);
    log.append(
      [
        { type: 'UsageReported', data: { ...usageOf(`m-3${odd}`), model: odd } },
        { type: 'TurnCompleted', data: { turn: 1, stopReason: text } },
        ...withId(completed),
      ],
      undefined,
      { correlationId: odd, causationId: text },
    );
    log.append([opened()], sessionStream(TENANT, SessionId('s-2')));
    const { running } = projecting(log);
    await running.reached(log.last());
    await running.stop();
    await projectedUpTo(log.last());
    expect(await test.table('compactions')).toMatchObject([{ outcome: 'completed' }]);
    const kept = (value: string): string => value.replaceAll(/[\0\ud800-\udfff]/g, '\ufffd');
    expect((await test.table('sessions'))[0]).toMatchObject({ model: kept(text), pivot: kept(id) });
    expect((await test.table('audit_events'))[6]).toMatchObject({
      correlation: kept(odd),
      causation: kept(text),
      payload: { stopReason: kept(text) },
    });
  });
});

const usageOf = (messageId: string) => {
  const report = everything('').findLast((event) => event.type === 'UsageReported');
  if (report?.type !== 'UsageReported') throw new Error('no usage is reported');
  return { ...report.data, messageId: messageId as NonNullable<typeof report.data.messageId> };
};
