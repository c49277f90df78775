import { readModels, writeRefreshed } from '@app/adapters/models-file';
import { findModel } from '@app/domain';
import { AppError } from '@app/kernel';
import type { ReportedModel } from '@app/ports';
import type { AppConfig } from '../../config.js';
import { operatorKeys } from '../summarizers/operator-keys.js';
import { refreshedModels } from './models.js';

const REFRESH_TIMEOUT_MS = 120_000;

/**
 * Fetches Anthropic's models and writes them to the data folder; they take precedence over the installed file and yield to the
 * operator's. A dated ID is stored under the model of which it is a snapshot, if known, so that prices still apply.
 *
 * @throws {AppError} `invalid-configuration` without a key, `models-unavailable`.
 */
export const refreshModels = async (
  config: AppConfig,
): Promise<{ readonly path: string; readonly models: readonly ReportedModel[] }> => {
  const { ANTHROPIC: apiKey } = await operatorKeys(config);
  if (apiKey === undefined) {
    const message =
      'PALIMPSEST_ANTHROPIC_API_KEY or PALIMPSEST_ANTHROPIC_API_KEY_FILE is needed to ask for the models';
    throw new AppError('invalid-configuration', message);
  }
  const baseUrl = config.PALIMPSEST_ANTHROPIC_BASE_URL;
  const { anthropicModels } = await import('@app/adapters/models-anthropic');
  const source = anthropicModels({ apiKey, ...(baseUrl !== undefined && { baseUrl }) });
  const reported = await source.models(AbortSignal.timeout(REFRESH_TIMEOUT_MS));
  const shipped = readModels();
  const models = new Map<string, ReportedModel>();
  for (const model of reported) {
    const id = findModel(shipped, model.id)?.record.id ?? model.id;
    if (!models.has(id)) models.set(id, { ...model, id });
  }
  const path = refreshedModels(config);
  writeRefreshed(path, [...models.values()]);
  return { path, models: [...models.values()] };
};
