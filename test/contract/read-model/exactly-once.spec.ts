import { AppError } from '@app/kernel';
import fc from 'fast-check';
import { logOf, type Script, scripts } from './support/random-log.js';
import { type Snapshot, TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import type { ScriptedLog } from './support/scripted-log.js';

/** Guarantee: every event counts once, under any failures of log, database or process. */
describe('projector', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const undisturbed = async (log: ScriptedLog): Promise<Snapshot> => {
    await test.clear();
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(await log.head());
    await running.stop();
    return test.snapshot();
  };

  /** Restarts a projector until one reaches the end. */
  const project = async (log: ScriptedLog, started: (running: Running) => void): Promise<void> => {
    for (;;) {
      const running = new Running({ database: test.database, subscriptions: log });
      started(running);
      const isDone = await Promise.race([
        running.reached(await log.head()).then(
          () => true,
          () => false,
        ),
        running.ended.then(() => false),
      ]);
      await running.stop();
      if (isDone) return;
    }
  };

  const FAULTS = ['log', 'database', 'process'] as const;
  const faults = fc.dictionary(fc.integer({ min: 1, max: 150 }).map(String), fc.constantFrom(...FAULTS), {
    minKeys: 1,
    maxKeys: 6,
  });

  it('writes the same rows with and without failures', async () => {
    const property = async (
      script: Script,
      when: Readonly<Record<string, (typeof FAULTS)[number]>>,
      redelivers: number,
    ): Promise<void> => {
      const expected = await undisturbed(logOf(script));
      await test.clear();
      const log = logOf(script);
      log.redelivers = redelivers;
      let current: Running | undefined;
      let items = 0;
      log.beforeItem = async () => {
        items += 1;
        const fault = when[items];
        if (fault === 'log') throw new AppError('event-store-unavailable', 'gone');
        if (fault === 'database') await test.breakConnections();
        if (fault === 'process') void current?.stop();
      };
      await project(log, (running) => {
        current = running;
      });
      expect(await test.snapshot()).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(scripts(), faults, fc.integer({ min: 0, max: 3 }), property), {
      numRuns: 25,
    });
  });

  it('writes the same rows for any batch boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const expected = await undisturbed(logOf(script));
        const log = logOf(script);
        // Each event arrives after the previous one was projected: batches of one.
        const { database } = test;
        await test.clear();
        const running = new Running({ database, subscriptions: log });
        log.beforeItem = async (item, _, subscription) => {
          if (item.kind === 'event' && subscription === 1)
            await running.reached(before(log, item.recorded.position));
        };
        await running.reached(await log.head());
        await running.stop();
        expect(await test.snapshot()).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });

  const locks = async () =>
    (await test.query("select count(*) as held from pg_locks where locktype = 'advisory'"))[0]?.held;

  it('waits while another one projects, and continues where that one stopped', async () => {
    const log = logOf([{ session: 0, what: 6, size: 0 }]);
    const options = { database: test.database, subscriptions: log };
    const first = new Running(options);
    await first.reached(log.last());
    const second = new Running(options);
    await second.reached(log.last());
    expect(await locks()).toBe(1n);

    await first.stop();
    await second.reached(log.append([]));
    log.append(logOf([{ session: 0, what: 6, size: 0 }]).events.map(({ event }) => event));
    await second.reached(log.last());
    await second.stop();
    const rows = await test.table('audit_events');
    expect(rows.map((row) => row.position)).toEqual(log.events.map(({ position }) => position));
  });

  it('can be stopped while it waits for another one', async () => {
    const log = logOf([{ session: 0, what: 6, size: 0 }]);
    const first = new Running({ database: test.database, subscriptions: log });
    await first.reached(log.last());
    const second = new Running({ database: test.database, subscriptions: log });
    await second.stop();
    expect(await locks()).toBe(1n);
    await first.stop();
    expect(await locks()).toBe(0n);
  });

  it('writes nothing over another one’s rows after losing its connection unnoticed', async () => {
    const log = logOf([{ session: 0, what: 6, size: 0 }]);
    const running = [1, 2].map(() => new Running({ database: test.database, subscriptions: log }));
    for (let round = 0; round < 5; round += 1) {
      await test.breakConnections();
      log.append(logOf([{ session: round, what: 6, size: 0 }]).events.map(({ event }) => event));
      await untilReached(running, log);
    }
    for (const one of running) await one.stop();
    const rows = await test.table('audit_events');
    expect(rows.map((row) => row.position)).toEqual(log.events.map(({ position }) => position));
    const status = (await test.snapshot()).checkpoints;
    // Projections of tenants ignore session events.
    const ofTenants: readonly string[] = ['api_keys', 'audit_reads', 'tenants'];
    expect(status.map((row) => [row.projection, row.events])).toEqual(
      status.map(({ projection }) => [
        projection,
        ofTenants.includes(String(projection)) ? 0n : BigInt(log.events.length),
      ]),
    );
  });
});

/** Returns the position of the previous event. */
const before = (log: ScriptedLog, position: bigint) =>
  log.events.findLast((event) => event.position < position)?.position ?? 'start';

/** Retries, since the reader may lose its connection, too. */
const untilReached = async (running: readonly Running[], log: ScriptedLog): Promise<void> => {
  for (;;) {
    try {
      await running[0]?.reached(log.last());
      return;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'postgres-unavailable')) throw error;
    }
  }
};
