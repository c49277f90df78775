import { importingFaults, mutated, randomFrom, transcriptSamples } from '@app/testing';
import fc from 'fast-check';

const samples = [...transcriptSamples()];

describe('importing a damaged transcript of any format', () => {
  it('leaves valid sessions and adds nothing when it is repeated', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), fc.integer({ min: 0 }), async ([, text], seed) => {
        expect(await importingFaults(mutated(Buffer.from(text), randomFrom(seed)))).toEqual([]);
      }),
      { numRuns: 200 },
    ));
});
