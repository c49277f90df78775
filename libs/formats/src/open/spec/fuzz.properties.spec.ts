import { mutated, randomFrom, readingFaults, readTranscript, transcriptSamples } from '@app/testing';
import fc from 'fast-check';

const samples = [...transcriptSamples()];

describe('a file of any format', () => {
  it.each(samples)('is detected as its format before any mutation: %s', async (name, text) => {
    const { format, skipped } = await readTranscript(text, { chunkBytes: 1_000 });
    expect({ format, skipped }).toEqual({ format: name.split(' ')[0], skipped: [] });
  });

  it('is read or rejected with a known error after any mutation', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), fc.integer({ min: 0 }), async ([, text], seed) => {
        const random = randomFrom(seed);
        expect(await readingFaults(mutated(Buffer.from(text), random), random)).toEqual([]);
      }),
      { numRuns: 600 },
    ));
});
