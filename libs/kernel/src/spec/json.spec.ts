import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, isSameJson } from '../json.js';

const leaf = fc.constantFrom(0, 1, '', 'a', true, null, undefined);
/** Small values, which are often equal. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
}));

it('finds values the same exactly when their canonical JSON is', () =>
  fc.assert(
    fc.property(fc.record({ a: value }), fc.record({ a: value }), (one, other) => {
      expect(isSameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
    }),
    { numRuns: 2_000 },
  ));
