import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { promptErrors, quantile, recordedPrompts } from '@app/testing';
import { RECORDED_FILES } from '../support/recorded-files.js';

const isWanted = RECORDED_FILES.length > 0;

/**
 * Guarantee: after the first report the estimate of a prompt is within a tenth of the provider's count. Each prompt
 * is estimated in full, calibrated by earlier requests of its session only; the median counts.
 */
(isWanted ? describe : describe.skip)('estimates of recorded prompts', () => {
  it('are within a tenth of the reported sizes after calibration, in each session', async () => {
    const counter = openTokenCounter();
    const catalog = readModels();
    const medians: { file: string; requests: number; before: number; after: number }[] = [];
    for (const file of RECORDED_FILES) {
      const errors = promptErrors(await recordedPrompts(createReadStream(file), file, counter), catalog);
      if (errors.length === 0) continue; // Not every recording contains bills.
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
    // Calibration is the cause.
    expect(medians.filter(({ before }) => before > 0.1).length).toBeGreaterThan(1);
  });
});
