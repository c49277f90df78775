import { AppError, Tokens } from '@app/kernel';
import { findModel, type ModelCatalog } from '../models/catalog.js';
import type { Profile } from '../profiles/profile.js';
import type { Limits } from './limits.js';

/** The model name of a session that was opened without one. */
export const UNKNOWN_MODEL = 'unknown';

/**
 * Returns the limits of a session: from the given window, else the model's, else the profile's assumption.
 *
 * @throws {AppError} `unknown-window` if the model is unknown and the profile assumes no window.
 */
export const limitsOf = (catalog: ModelCatalog, model: string, profile: Profile, window?: number): Limits => {
  const known = findModel(catalog, model)?.record;
  const maxOutput = known?.outputMax !== undefined && { maxOutput: known.outputMax };
  if (window !== undefined) return { window: Tokens(window), windowSource: 'given', ...maxOutput };
  if (known) {
    const inputLimit = known.inputMax !== undefined && { inputLimit: known.inputMax };
    return { window: known.window, windowSource: 'model', ...maxOutput, ...inputLimit };
  }
  if (profile.unknownWindow !== 'refuse') {
    return { window: Tokens(profile.unknownWindow), windowSource: 'assumed' };
  }
  throw new AppError(
    'unknown-window',
    `the window of model "${model.slice(0, 64)}" is unknown: give it in tokens`,
  );
};
