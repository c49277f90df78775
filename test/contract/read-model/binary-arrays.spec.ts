import fc from 'fast-check';
import { sql } from 'kysely';
import { binaryArray } from '../../../libs/adapters/read-model-postgres/src/rows/binary-array.js';
import { type Kind, sqlTypeOf } from '../../../libs/adapters/read-model-postgres/src/rows/kinds.js';
import { storableJson, storableText } from '../../../libs/adapters/read-model-postgres/src/rows/storable.js';
import { TestDatabase } from './support/read-model-database.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', 'a\0b', '\ud800', 'x\udc00', '\\u0000', '{NULL,"}', 'é', '€', '👩‍👩‍👧'),
);
const count = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, -0, 2 ** 31, 2 ** 32, -(2 ** 32), -(2 ** 53) + 1),
);
const VALUES: Readonly<Partial<Record<Kind | 'json', fc.Arbitrary<unknown>>>> = {
  text,
  count,
  position: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  real: fc.double(),
  flag: fc.boolean(),
  time: fc
    .date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  json: fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    fc.oneof(
      text,
      count,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.array(text),
    ),
  ),
};

/** Rows are written by the binary form of arrays: it must say the same as the text of the values. */
describe('arrays in binary format', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  const textOf = (kind: Kind | 'json', value: unknown): unknown => {
    if (kind === 'json') return JSON.stringify(storableJson(value));
    return typeof value === 'string' ? storableText(value) : value;
  };

  it.each(Object.entries(VALUES))('hold the values of %s that their text says', async (name, values) => {
    const kind = name as Kind | 'json'; // The names of VALUES are kinds.
    const nullable = kind === 'json' ? values : fc.oneof({ weight: 4, arbitrary: values }, fc.constant(null));
    const repeated = fc
      .array(nullable, { maxLength: 6 })
      .chain((some) => fc.array(some.length === 0 ? nullable : fc.constantFrom(...some), { maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(repeated, async (array) => {
        const type = sql.raw(`${sqlTypeOf(kind)}[]`);
        const bytes = binaryArray(kind, array);
        expect(bytes).toBeDefined();
        const { rows } = await sql<{ same: boolean; length: number }>`
          select ${bytes}::${type} = ${array.map((value) => textOf(kind, value))}::${type} as same,
            cardinality(${bytes}::${type}) as length`.execute(test.database.db);
        expect(rows).toEqual([{ same: true, length: array.length }]);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[Kind | 'json', unknown]>([
    ['count', 1.5],
    ['count', 2 ** 53],
    ['position', 2n ** 63n],
    ['text', 1],
    ['flag', 'true'],
    ['real', '1'],
    ['time', '2026-02-30T00:00:00.000Z'],
    ['time', '2026-11-21T24:00:00.000Z'],
    ['time', '2026-11-21T09:00:00.000001Z'],
    ['time', '+010000-01-01T00:00:00.000Z'],
    ['time', '0000-01-01T00:00:00.000Z'],
    ['day', '2026-11-21'],
    ['sum', 1n],
  ])('leave %s %p to the text format', (kind, value) => {
    expect(binaryArray(kind, [value])).toBeUndefined();
  });

  it('take NULL for undefined', async () => {
    for (const kind of ['text', 'count', 'json'] as const) {
      const { rows } = await sql<{ given: unknown }>`
        select to_jsonb(${binaryArray(kind, [undefined])}::${sql.raw(sqlTypeOf(kind))}[]) as given`.execute(
        test.database.db,
      );
      expect(rows).toEqual([{ given: [null] }]);
    }
  });
});
