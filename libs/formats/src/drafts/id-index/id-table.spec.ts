import fc from 'fast-check';
import { IdTable } from './id-table.js';

describe('a table of ids', () => {
  it('returns the last number stored for each id', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat({ max: 2_000_000_000 }))),
        (given) => {
          const table = new IdTable();
          const expected = new Map(given);
          for (const [id, number] of given) table.set(id, number);
          for (const [id, number] of expected) expect(table.get(id)).toBe(number);
          expect(table.size).toBe(expected.size);
          expect(table.has('an id of more characters')).toBe(false);
        },
      ),
    ));

  it('distinguishes many ids with common prefixes', () => {
    const table = new IdTable();
    const prefix = '0b5e'.repeat(20);
    for (let at = 0; at < 200_000; at += 1) if (!table.add(`${prefix}-${at}`)) throw new Error(String(at));
    for (let at = 0; at < 200_000; at += 1) if (!table.has(`${prefix}-${at}`)) throw new Error(String(at));
    expect(table.add(`${prefix}-7`)).toBe(false);
    expect(table.size).toBe(200_000);
  });
});
