import fc from 'fast-check';
import { IdList } from './id-list.js';

describe('a persistent list of ids', () => {
  const ids = fc.array(fc.option(fc.string({ maxLength: 2 }), { nil: undefined }), { maxLength: 3 });

  it('returns each id at its position, and its prefixes as lists', () =>
    fc.assert(
      fc.property(ids, ids, fc.nat({ max: 1_500 }), (before, after, count) => {
        const given = [...before, ...Array.from({ length: count }, (_, at) => `id\n${at}`), ...after];
        const list = IdList.empty();
        for (const id of given) list.push(id);
        expect(list.length).toBe(given.length);
        for (const at of [0, 1, 511, 512, count, given.length]) expect(list.at(at)).toBe(given[at]);
        const kept = given.slice(0, Math.floor(given.length / 2));
        const first = list.first(kept.length);
        first.push('one more');
        expect(Array.from({ length: first.length }, (_, at) => first.at(at))).toEqual([...kept, 'one more']);
        expect(list.length).toBe(given.length);
      }),
      { numRuns: 20 },
    ));
});
