import fc from 'fast-check';
import { weightOf } from './streamed-event.js';

describe('the weight of a value', () => {
  it('is approximately the length of its JSON', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'ü', '日') });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const { length } = JSON.stringify(given);
        expect(weightOf(given)).toBeLessThanOrEqual(length * 4);
        expect(weightOf(given)).toBeGreaterThanOrEqual(length / 4);
      }),
    );
  });

  it('counts long values by their length', () => {
    expect(weightOf({ message: { blocks: [{ text: 'x'.repeat(10_000) }] } })).toBeGreaterThan(10_000);
  });
});
