import fc from 'fast-check';
import { cover } from './cover.js';

type Line = { readonly keys: readonly string[]; readonly cost: number; readonly boost: number };
const line = (cost: number, ...keys: readonly string[]): Line => ({ keys, cost, boost: 1 });
const takenOf = (lines: readonly Line[], room: number, worth: (key: string) => number = () => 1) => {
  let left = room;
  const taken: Line[] = [];
  cover(lines, worth, new Set(), (offered) => {
    if (offered.cost > left) return false;
    left -= offered.cost;
    taken.push(offered);
    return true;
  });
  return taken;
};

describe('the greedy cover', () => {
  it('takes the line with the highest value per token first', () => {
    const [dear, cheap, rich] = [line(9, 'a'), line(2, 'b'), line(3, 'c', 'd', 'e')];
    expect(takenOf([dear, cheap, rich], 5)).toEqual([rich, cheap]);
  });

  it('counts a key once, for the first line taken with it', () => {
    const [both, again] = [line(3, 'a', 'b'), line(2, 'a')];
    expect(takenOf([again, both], 100)).toEqual([both]);
  });

  it('visits each line a bounded number of times, for any number of shared keys', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 300 }),
        (lists) => {
          let looks = 0;
          const lines = lists.map((keys) => ({
            get keys() {
              looks += 1;
              return keys.map(String);
            },
            cost: keys.length,
            boost: 1,
          }));
          cover(lines, Number, new Set(), () => true);
          expect(looks).toBeLessThanOrEqual(lists.length * 163);
        },
      ),
      { numRuns: 50 },
    ));

  it('keeps the input order of equal lines', () => {
    const lines = ['a', 'b', 'c', 'd'].map((key) => line(2, key));
    expect(takenOf(lines, 6)).toEqual(lines.slice(0, 3));
  });
});
