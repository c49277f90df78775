import { importingFaults, mutated, randomFrom, transcriptSamples } from '@app/testing';
import fc from 'fast-check';

const samples = [...transcriptSamples()];

describe('importing a file of any format', () => {
  it('leaves sessions that are whole, and adds nothing when it is repeated, whatever happened to the file', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), fc.integer({ min: 0 }), async ([, text], seed) => {
        expect(await importingFaults(mutated(Buffer.from(text), randomFrom(seed)))).toEqual([]);
      }),
      { numRuns: 200 },
    ));
});
