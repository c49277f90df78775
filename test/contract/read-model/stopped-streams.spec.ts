import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { openProjector, openReadModels } from '@app/adapters/read-model-postgres';
import { Revision, readsStream, SessionId, type StreamName, sessionStream, tenantStream } from '@app/kernel';
import { PROJECTION_NAMES, type StoppedStream } from '@app/ports';
import { memoryDigests } from '@app/testing';
import { appended, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, TENANT } from './support/scripted-log.js';

const never = new AbortController().signal;
const BAD = 'session-acme.s-1';
const OTHER = sessionStream(TENANT, SessionId('s-2'));

/**
 * Guarantee: an event that a projection cannot process visibly stops the rows of its stream, and all other streams
 * continue. An operator may retry it, or skip it permanently.
 */
describe('event that a projection cannot process', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  let running: Running[] = [];
  let log: ScriptedLog;
  beforeEach(async () => {
    await test.clear();
    // A constraint rejects the row of the third event of session s-1.
    await test.query(
      "alter table read.audit_events add constraint poison check (revision <> 2 or session <> 's-1')",
    );
    log = new ScriptedLog();
    log.append([opened(), appended('m-1', 1), appended('m-2', 1), appended('m-3', 1)]);
    log.append([opened(), appended('m-1', 1), appended('m-2', 1)], OTHER);
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    await cure();
  });
  const cure = () => test.query('alter table read.audit_events drop constraint if exists poison');

  const options = () => ({ database: test.database, subscriptions: log, digests: memoryDigests });
  const start = (): Running => {
    const one = new Running(options());
    running = [...running, one];
    return one;
  };
  const stopped = async (): Promise<readonly StoppedStream[]> =>
    (await openReadModels(test.database, memoryDigests).stoppedStreams({ limit: 1_000 })).items;
  /** Waits until no stop is waiting for a retry. */
  const afterRetry = async (): Promise<readonly StoppedStream[]> => {
    for (;;) {
      const found = await stopped();
      if (found.every(({ retryRequested }) => !retryRequested)) return found;
      await yieldToLoop();
    }
  };
  const audited = async (): Promise<readonly string[]> =>
    (await test.table('audit_events')).map(({ session, revision }) => `${session}/${revision}`).sort();
  const skip = () =>
    log.append([
      {
        type: 'ProjectionSkipped',
        data: { projection: 'audit_events', revision: Revision(2), position: '0', reason: 'known defect' },
      },
    ]);
  const WHOLE = ['s-1/0', 's-1/1', 's-1/2', 's-1/3', 's-2/0', 's-2/1', 's-2/2'];

  it('stops its stream in that projection only, reports where, and blocks no reader', async () => {
    const one = start();
    await one.reached(log.last());
    log.append([appended('m-4', 1)]);
    log.append([appended('m-3', 1)], OTHER);
    await one.reached(log.last());
    expect(await stopped()).toEqual([
      {
        projection: 'audit_events',
        stream: BAD,
        revision: 2,
        position: log.events[2]?.position,
        type: 'MessageAppended',
        at: expect.any(String),
        error: 'error 23514',
        retryRequested: false,
      },
    ]);
    expect(await audited()).toEqual(['s-1/0', 's-1/1', 's-2/0', 's-2/1', 's-2/2', 's-2/3']);
    expect(await test.table('sessions')).toMatchObject([{ messages: 4n }, { messages: 3n }]);
    const status = await openReadModels(test.database, memoryDigests).status();
    for (const { projection, position, stoppedStreams } of status)
      expect([position, stoppedStreams]).toEqual([log.last(), projection === 'audit_events' ? 1 : 0]);
  });

  it('is skipped after an operator’s decision, without losing later events', async () => {
    const one = start();
    await one.reached(log.last());
    await one.reached(skip());
    expect(await one.projector.retry({ projection: 'audit_events' })).toBe(1);
    expect(await afterRetry()).toEqual([]);
    expect(await audited()).toEqual(['s-1/0', 's-1/1', 's-1/3', 's-1/4', 's-2/0', 's-2/1', 's-2/2']);
    expect((await test.table('audit_events')).at(-1)).toMatchObject({
      type: 'ProjectionSkipped',
      payload: { projection: 'audit_events', revision: 2, reason: 'known defect' },
    });
  });

  it('is retried without such a decision, and stops again', async () => {
    const one = start();
    await one.reached(log.last());
    const before = await stopped();
    await one.projector.retry({ projection: 'audit_events' });
    expect(await afterRetry()).toEqual(before);
  });

  it('leaves complete rows in order after a successful retry over many events', async () => {
    const one = start();
    for (let at = 4; at < 1_204; at += 1) log.append([appended(`m-${at}`, 1)]);
    await one.reached(log.last());
    expect(await audited()).toHaveLength(5);
    await cure();
    const position = (await stopped())[0]?.position;
    await one.projector.retry({ projection: 'audit_events', ...(position && { position }) });
    expect(await afterRetry()).toEqual([]);
    log.append([appended('m-last', 1)]);
    await one.reached(log.last());
    const rows = (await test.table('audit_events')).filter(({ session }) => session === 's-1');
    expect(rows.map(({ revision }) => Number(revision))).toEqual(
      Array.from({ length: 1_205 }, (_, at) => at),
    );
  });

  it('is processed by the next process that can', async () => {
    const one = start();
    await one.reached(log.last());
    await one.stop();
    await cure();
    running = [];
    const two = start();
    await two.reached(log.last());
    while ((await stopped()).length > 0) await yieldToLoop();
    expect(await audited()).toEqual(WHOLE);
  });

  it('stops its stream in a rebuild, too; a rebuild that can process it resumes the stream', async () => {
    const one = start();
    await one.reached(log.last());
    await one.projector.rebuild(PROJECTION_NAMES, never);
    expect(await stopped()).toMatchObject([{ stream: BAD, revision: 2 }]);
    await cure();
    await one.projector.rebuild(['audit_events'], never);
    expect(await stopped()).toEqual([]);
    expect(await audited()).toEqual(WHOLE);
    // The projector beside it learns that the stream is resumed.
    log.append([appended('m-4', 1)]);
    await one.reached(log.last());
    expect(await audited()).toEqual([...WHOLE.slice(0, 4), 's-1/4', ...WHOLE.slice(4)]);
  });

  it('stays skipped in a rebuild after an operator’s decision', async () => {
    skip();
    const projector = openProjector(options());
    await projector.rebuild(PROJECTION_NAMES, never);
    expect(await stopped()).toEqual([]);
    expect(await audited()).toEqual(['s-1/0', 's-1/1', 's-1/3', 's-1/4', 's-2/0', 's-2/1', 's-2/2']);
  });

  it.each([
    [
      'a session',
      BAD as StreamName,
      ['sessions', 'compactions', 'compaction_turns', 'audit_events', 'usage_by_day'],
    ],
    ['a tenant', tenantStream(TENANT), ['tenants', 'api_keys', 'audit_reads', 'audit_events']],
    ['reads of a tenant', readsStream(TENANT), ['tenants', 'api_keys', 'audit_reads', 'audit_events']],
  ])('stops only its stream if it is unreadable, in projections of its kind: %s', async (_, stream, of) => {
    await cure();
    const bad = log.appendUnreadable('LimitsChanged', stream);
    log.append([appended('m-3', 1)], OTHER);
    const one = start();
    await one.reached(log.last());
    const found = await stopped();
    expect(found.map(({ projection }) => projection).sort()).toEqual([...of].sort());
    for (const stop of found) expect(stop).toMatchObject({ stream, position: bad, error: 'corrupt-event' });
    expect(await audited()).toEqual([...WHOLE, 's-2/3']);
    for (const { projection, revision } of found) {
      const data = { projection, revision, position: String(bad), reason: 'damaged' };
      const isSession = stream === BAD;
      log.append([{ type: isSession ? 'ProjectionSkipped' : 'TenantEventSkipped', data }], stream);
    }
    await one.projector.retry({});
    expect(await afterRetry()).toEqual([]);
    await one.reached(log.last()); // A retry has the skips up to the decision itself.
    const skips = (await test.table('audit_events')).filter(({ type }) => String(type).endsWith('Skipped'));
    expect(skips).toHaveLength(of.length);
  });

  it('stays stopped for a standby that takes over, which projects the rest', async () => {
    const [first, second] = [start(), start()];
    await first.reached(log.last());
    await first.stop();
    running = running.filter((one) => one !== first);
    log.append([appended('m-4', 1)]);
    await second.reached(log.last());
    expect((await test.table('sessions'))[0]).toMatchObject({ messages: 4n });
    expect(await afterRetry()).toMatchObject([{ stream: BAD, revision: 2 }]);
  });
});
