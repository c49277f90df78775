import { openReadModels } from '@app/adapters/read-model-postgres';
import { IsoTime, sessionStream, TenantId } from '@app/kernel';
import { memoryDigests } from '@app/testing';
import fc from 'fast-check';
import { appended, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { project } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const TENANTS = [TENANT, TenantId('other')];
/** Recording times in quarters of an hour after the start, in any order, as with skewed clocks. */
const quarters = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 });

/** Guarantee: a time range returns exactly the events recorded in it, for any clock skew. */
describe('audit of a time range', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  it('contains the events recorded in it in log order, and totals agree', async () => {
    await fc.assert(
      fc.asyncProperty(quarters, fc.nat(30), async (times, applied) => {
        await test.clear();
        const log = new ScriptedLog();
        log.clock = (number) => START_MS + ((times[number] ?? 0) * HOUR_MS) / 4;
        for (const number of times.keys()) {
          const tenant = TENANTS[number % 2] ?? TENANT;
          log.append([number < 2 ? opened() : appended(`m-${number}`, 1)], sessionStream(tenant, SESSION));
          if (number === applied) await project(test.database, log); // Later events meet existing rows.
        }
        await project(test.database, log);
        const models = openReadModels(test.database, memoryDigests);
        for (const hours of [0, 1, 3.25, 7]) {
          const since = IsoTime(new Date(START_MS + hours * HOUR_MS));
          const until = IsoTime(new Date(START_MS + (hours + 2.5) * HOUR_MS));
          for (const range of [{ since }, { until }, { since, until }]) {
            const passes = log.events.filter(
              ({ stream, recordedAt }) =>
                stream === sessionStream(TENANT, SESSION) &&
                (!('since' in range) || recordedAt >= since) &&
                (!('until' in range) || recordedAt < until),
            );
            const found = await models.audit({ tenant: TENANT, ...range, limit: 100, sort: 'position' });
            expect(found.map((row) => row.position)).toEqual(passes.map((event) => event.position));
            const totals = await models.auditTotals({ tenant: TENANT, ...range, by: 'type' });
            expect(totals.events).toBe(passes.length);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
