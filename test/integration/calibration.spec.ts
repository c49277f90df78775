import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { promptErrors, quantile, recordedPrompts } from '@app/testing';
import { RECORDED_FILES } from '../support/recorded-files.js';

const isWanted = RECORDED_FILES.length > 0;

/**
 * Guarantee: a prompt is estimated to within a tenth of what its provider reports, once something was reported. Each is
 * estimated in full, by what earlier requests of its session have taught and by nothing of its own; the median counts.
 */
(isWanted ? describe : describe.skip)('estimates of recorded prompts', () => {
  it('are within a tenth of the reported ones after calibration, in each session', async () => {
    const counter = openTokenCounter();
    const catalog = readModels();
    const medians: { file: string; requests: number; before: number; after: number }[] = [];
    for (const file of RECORDED_FILES) {
      const errors = promptErrors(await recordedPrompts(createReadStream(file), file, counter), catalog);
      if (errors.length === 0) continue; // Not every recorder has kept what was billed.
      const median = (of: 'before' | 'after') =>
        quantile(
          errors.map((error) => error[of]),
          0.5,
        );
      const sizes = { before: median('before'), after: median('after') };
      medians.push({ file: basename(file), requests: errors.length, ...sizes });
    }
    expect(medians.length).toBeGreaterThan(2);
    expect(medians.filter(({ after }) => after > 0.1)).toEqual([]);
    // And it is the calibration that does it.
    expect(medians.filter(({ before }) => before > 0.1).length).toBeGreaterThan(1);
  });
});
