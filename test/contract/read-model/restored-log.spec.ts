import { openProjector } from '@app/adapters/read-model-postgres';
import type { ProjectionName } from '@app/ports';
import { memoryDigests } from '@app/testing';
import { logOf } from './support/random-log.js';
import { TestDatabase } from './support/read-model-database.js';
import { project } from './support/running.js';

const ALL: readonly ProjectionName[] = [
  'sessions',
  'compactions',
  'compaction_turns',
  'audit_events',
  'usage_by_day',
];
const OPENED = { session: 0, what: 0, size: 0 };
const LIVED = { session: 0, what: 6, size: 0 };

/** Guarantee: rows that are ahead of a log restored from a backup can be rebuilt, and then follow it. */
describe('log restored from a time before its rows', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  it('matches the rows after a rebuild, and its next events are not taken for known ones', async () => {
    await project(test.database, logOf([LIVED]));
    const restored = logOf([OPENED]);

    const projector = openProjector({
      database: test.database,
      subscriptions: restored,
      digests: memoryDigests,
    });
    await projector.rebuild(ALL, new AbortController().signal);
    expect(await test.table('audit_events')).toHaveLength(restored.events.length);

    restored.append(
      logOf([LIVED])
        .events.slice(1, 4)
        .map(({ event }) => event),
    );
    await project(test.database, restored);
    expect((await test.table('audit_events')).map(({ position }) => position)).toEqual(
      restored.events.map(({ position }) => position),
    );
  });
});
