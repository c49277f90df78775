import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { openReadModels } from '@app/adapters/read-model-postgres';
import { AppError, type LogPosition, SessionId, type StreamName, sessionStream } from '@app/kernel';
import { memoryDigests } from '@app/testing';
import { appended, everything, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, TENANT } from './support/scripted-log.js';

/** Guarantee: an event that cannot be projected stops only the rows of its stream; an audit has no gaps. */
describe('failures of a projector', () => {
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
  const stoppedStreams = async () => {
    const { items } = await openReadModels(test.database, memoryDigests).stoppedStreams({ limit: 100 });
    return items.map(({ projection, stream, revision, error }) => ({ projection, stream, revision, error }));
  };
  const projectedUpTo = async (position: LogPosition): Promise<void> => {
    const { checkpoints, audit_events } = await test.snapshot();
    expect(checkpoints.map((row) => row.position)).toEqual(checkpoints.map(() => position));
    expect(audit_events.at(-1)?.position).toBe(position);
  };

  it('an unreadable event in a stream without tenant stops that stream only', async () => {
    const log = new ScriptedLog();
    log.append(everything('words'));
    const stream = 'session-without-an-owner' as StreamName;
    log.appendUnreadable('Foreign', stream);
    const last = log.append(everything('words'));
    const { running, errors } = projecting(log);
    await running.reached(last);
    expect(await stoppedStreams()).toEqual([
      { projection: 'audit_events', stream, revision: 0, error: 'corrupt-event' },
    ]);
    expect(errors).toMatchObject([{ code: 'projection-stopped' }]);
    await projectedUpTo(last);
  });

  it('an event that no row can represent stops only its stream, in the middle of a batch', async () => {
    const log = new ScriptedLog();
    const others = [1, 2, 3].map((at) => sessionStream(TENANT, SessionId(`other-${at}`)));
    for (const stream of others) log.append([opened(), appended('m-1', 1)], stream);
    log.append([opened(), appended('m-1', 1)]);
    log.append([appended('m-2', 1)], undefined, { occupancy: Number.NaN as never });
    for (const stream of others) log.append([appended('m-2', 1)], stream);
    log.append([appended('m-3', 1)]);
    const last = log.append([appended('m-3', 1)], others[0]);
    const { running } = projecting(log);
    await running.reached(last);
    expect(await stoppedStreams()).toMatchObject([
      { projection: 'audit_events', stream: 'session-acme.s-1', revision: 2, error: 'error 22P02' },
      { projection: 'sessions', stream: 'session-acme.s-1', revision: 2, error: 'error 22P02' },
    ]);
    const rows = await test.table('sessions');
    expect(rows.map(({ session, messages }) => [session, messages])).toEqual([
      ['other-1', 3n],
      ['other-2', 2n],
      ['other-3', 2n],
      ['s-1', 1n],
    ]);
    await projectedUpTo(last);
  });

  it('an event in a stream without session stops that stream only', async () => {
    const log = new ScriptedLog();
    log.append([opened()]);
    // The service cannot append to this stream.
    const stream = 'session-without-an-owner' as StreamName;
    log.append([opened()], stream);
    const last = log.append([appended('m-1', 1)]);
    const { running } = projecting(log);
    await running.reached(last);
    expect(await stoppedStreams()).toEqual([
      { projection: 'audit_events', stream, revision: 0, error: 'corrupt-event' },
    ]);
    await projectedUpTo(last);
  });

  it('a database error unrelated to the event retries the batch, and stops no stream', async () => {
    const log = new ScriptedLog();
    log.append(everything('words'));
    await test.query('alter table read.audit_events rename to audit_events_away');
    const { running, errors } = projecting(log);
    while (errors.length < 6) await yieldToLoop();
    expect(await stoppedStreams()).toEqual([]);
    await test.query('alter table read.audit_events_away rename to audit_events');
    await running.reached(log.last());
    await projectedUpTo(log.last());
  });

  it('a transient error retries the batch', async () => {
    const log = new ScriptedLog();
    log.append(everything('words'));
    let failures = 0;
    log.beforeItem = (_, count) => {
      if (count !== 3 || failures === 2) return;
      failures += 1;
      throw new Error('a transient failure');
    };
    const { running, errors } = projecting(log);
    await running.reached(log.last());
    await running.stop();
    expect(errors.length).toBeGreaterThan(0);
    await projectedUpTo(log.last());
  });

  it('an unavailable log is waited for without limit', async () => {
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
    ['ids and texts that no column accepts', '\0', '\ud800', 'c-\udc00\0'],
    ['quotes, braces and backslashes', '{"a\\",null}', "'; drop schema read --", 'NULL'],
  ])('the representable part of %s is stored', async (_, text, odd, id) => {
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
