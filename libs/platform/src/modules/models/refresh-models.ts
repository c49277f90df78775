import { anthropicModels } from '@app/adapters/models-anthropic';
import { readModels, writeRefreshed } from '@app/adapters/models-file';
import { findModel } from '@app/domain';
import { AppError } from '@app/kernel';
import type { ReportedModel } from '@app/ports';
import type { AppConfig } from '../../config.js';
import { operatorKeys } from '../summarizers/operator-keys.js';
import { refreshedModels } from './models.module.js';

const REFRESH_TIMEOUT_MS = 120_000;

/**
 * Asks Anthropic's endpoint for its models, and writes what it says beside the data: over the shipped file, and under the
 * operator's. A dated id is written under the model that it is a snapshot of, where that is known, so that its prices stay.
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
