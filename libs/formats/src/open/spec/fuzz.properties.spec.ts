import { mutated, randomFrom, readingFaults, readTranscript, transcriptSamples } from '@app/testing';
import fc from 'fast-check';

const samples = [...transcriptSamples()];

describe('a file of any format', () => {
  it.each(samples)('is of that format before anything happens to it: %s', async (name, text) => {
    const { format, skipped } = await readTranscript(text, { chunkBytes: 1_000 });
    expect({ format, skipped }).toEqual({ format: name.split(' ')[0], skipped: [] });
  });

  it('is read or refused, whatever happened to it', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), fc.integer({ min: 0 }), async ([, text], seed) => {
        const random = randomFrom(seed);
        expect(await readingFaults(mutated(Buffer.from(text), random), random)).toEqual([]);
      }),
      { numRuns: 600 },
    ));
});
