import { AppError, Tokens } from '@app/kernel';
import { findModel, type ModelCatalog } from '../models/catalog.js';
import type { Profile } from '../profiles/profile.js';
import type { Limits } from './limits.js';

/** The name that a session gets whose model nobody named. */
export const UNKNOWN_MODEL = 'unknown';

/**
 * The limits of a session: the window that was given, else the model's, else what the profile assumes.
 *
 * @throws {AppError} `unknown-window` where nobody knows and the profile assumes nothing.
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
    `nobody knows the window of model "${model.slice(0, 64)}": give it in tokens`,
  );
};
