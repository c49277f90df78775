import { openProjector } from '@app/adapters/read-model-postgres';
import { memoryDigests } from '@app/testing';
import { everything, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog } from './support/scripted-log.js';

/** Guarantee: after waiting for a position all rows up to it are readable. */
describe('waiting for a position', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const optionsOf = (log: ScriptedLog) => ({
    ...{ database: test.database, subscriptions: log, digests: memoryDigests },
  });
  const audited = async () => (await test.table('audit_events')).length;

  it('resolves at once for the start of an empty log', async () => {
    const log = new ScriptedLog();
    await openProjector(optionsOf(log)).reached(await log.head(), new AbortController().signal);
    expect(log.subscriptions).toBe(0);
  });

  it('works if another process projects', async () => {
    const log = new ScriptedLog();
    const running = new Running(optionsOf(log));
    const waiting = openProjector(optionsOf(log)).reached(
      log.append(everything('words')),
      AbortSignal.any([]),
    );
    await waiting;
    expect(await audited()).toBe(log.events.length);
    await running.stop();
  });

  it.each(['caught-up', 'checkpoint'] as const)(
    'works if the newest events belong to no session and arrived while the projector ran (the log sends %s)',
    async (announces) => {
      const log = new ScriptedLog();
      log.announces = announces;
      log.append(everything('words'));
      const running = new Running(optionsOf(log));
      await running.reached(log.last());
      await running.reached(log.appendForeign());
      log.append([opened()]);
      await running.reached(log.appendForeign());
      expect(await audited()).toBe(log.events.length);
      await running.stop();
    },
  );

  it('lasts while no process projects', async () => {
    const log = new ScriptedLog();
    const last = log.append(everything('words'));
    const stop = new AbortController();
    // The wait has queried the log and got an answer.
    log.beforeItem = (_, count) => {
      if (count === 1) setImmediate(() => stop.abort(new Error('timed out')));
    };
    await expect(openProjector(optionsOf(log)).reached(last, stop.signal)).rejects.toThrow('timed out');
  });

  it('ends with its signal before it has begun', async () => {
    const log = new ScriptedLog();
    const reached = openProjector(optionsOf(log)).reached(log.append([opened()]), AbortSignal.abort('no'));
    await expect(reached).rejects.toBe('no');
  });
});
