import fc from 'fast-check';
import { everything } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog } from './support/scripted-log.js';

/** Guarantee: no content of messages reaches the read models, of any kind and from any field. */
describe('projector', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  it('writes no content', async () => {
    const words = fc.string({ minLength: 12, maxLength: 40, unit: fc.constantFrom(...'äöüß漢字 "\\{}\n€') });
    await fc.assert(
      fc.asyncProperty(words, async (content) => {
        await test.clear();
        const log = new ScriptedLog();
        log.append(everything(content));
        const running = new Running({ database: test.database, subscriptions: log });
        await running.reached(log.last());
        await running.stop();
        const { checkpoints: _, ...tables } = await test.snapshot();
        // Session events do not change tenant tables.
        const empty = Object.entries(tables).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []));
        expect(empty).toEqual(['tenants', 'api_keys', 'audit_reads']);
        expect(stringsIn(tables).filter((text) => text.includes(content))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

/** Returns every string in a value, including member names. */
const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
};
