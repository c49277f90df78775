import { type Calibration, calibrate, type ModelCatalog, sizeOf, tokenizerOf } from '@app/domain';
import type { RecordedPrompt } from './recorded-prompts.js';

/** The relative error of an estimate. */
export type PromptError = {
  readonly session: string;
  readonly model: string;
  /** Error of the uncalibrated count. */
  readonly before: number;
  /** Error of the estimate, calibrated by earlier reports of the session only. */
  readonly after: number;
};

/** Returns the errors of recorded prompts, each estimated before its own report. */
export const promptErrors = (
  prompts: readonly RecordedPrompt[],
  catalog: ModelCatalog,
): readonly PromptError[] => {
  const known = new Map<string, Calibration>();
  return prompts.map(({ session, model, traits, news, counted, reported, newsReported }) => {
    const key = JSON.stringify([session, model]);
    const calibration = known.get(key);
    const prior = tokenizerOf(catalog, model)?.perThousand ?? 1_000;
    const estimated = calibration
      ? calibration.overhead + sizeOf(calibration, traits)
      : (counted * prior) / 1_000;
    const prompt = { counted, reported };
    const sample =
      news && calibration
        ? { traits: news, reported: newsReported, isWhole: false, prompt }
        : { traits, reported, isWhole: true, prompt };
    known.set(key, calibrate(calibration, model, sample, prior));
    const off = (size: number): number => Math.abs(size - reported) / reported;
    return { session, model, before: off(counted), after: off(estimated) };
  });
};

/** Returns the quantile of `values` at `share`; 0 for none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
