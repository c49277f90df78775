import { AppError, Tokens } from '@app/kernel';
import type { Profile } from '../compaction/profile.js';
import type { Limits } from './limits.js';

type ModelLimits = {
  readonly model: RegExp;
  readonly window: number;
  readonly maxOutput: number;
  readonly inputLimit?: number;
};

/** What the vendors published by 2026-11-21 (provider-facts 4.1 and 4.2); the first row that fits counts. */
const MODELS: readonly ModelLimits[] = [
  { model: /claude-(?:fable|mythos)-5/, window: 1_000_000, maxOutput: 128_000 },
  { model: /claude-(?:opus|sonnet|haiku)-5/, window: 1_000_000, maxOutput: 128_000 },
  { model: /claude-opus-4-[678]/, window: 1_000_000, maxOutput: 128_000 },
  { model: /claude-sonnet-4-6/, window: 1_000_000, maxOutput: 64_000 },
  { model: /claude-opus-4-1/, window: 200_000, maxOutput: 32_000 },
  { model: /claude/, window: 200_000, maxOutput: 64_000 },
  { model: /gpt-(?:6|5\.[456])-?(?!mini|nano)/, window: 1_050_000, maxOutput: 128_000, inputLimit: 922_000 },
  { model: /gpt-5(?:\.\d)?-chat/, window: 128_000, maxOutput: 16_384 },
  { model: /gpt-5/, window: 400_000, maxOutput: 128_000, inputLimit: 272_000 },
  { model: /gpt-4\.1/, window: 1_047_576, maxOutput: 32_768 },
  { model: /gpt-4o/, window: 128_000, maxOutput: 16_384 },
  { model: /^o[134]/, window: 200_000, maxOutput: 100_000 },
];

/** The name that a session gets whose model nobody named. */
export const UNKNOWN_MODEL = 'unknown';

/**
 * The limits of a session: the window that was given, else the model's, else what the profile assumes.
 *
 * @throws {AppError} `unknown-window` where nobody knows and the profile assumes nothing.
 */
export const limitsOf = (model: string, profile: Profile, window?: number): Limits => {
  const known = MODELS.find((row) => row.model.test(model));
  const maxOutput = known && { maxOutput: Tokens(known.maxOutput) };
  if (window !== undefined) return { window: Tokens(window), windowSource: 'given', ...maxOutput };
  if (known) {
    const inputLimit = known.inputLimit === undefined ? {} : { inputLimit: Tokens(known.inputLimit) };
    return { window: Tokens(known.window), windowSource: 'model', ...maxOutput, ...inputLimit };
  }
  if (profile.unknownWindow !== 'refuse') {
    return { window: Tokens(profile.unknownWindow), windowSource: 'assumed' };
  }
  throw new AppError(
    'unknown-window',
    `nobody knows the window of model "${model.slice(0, 64)}": give it in tokens`,
  );
};
