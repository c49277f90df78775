import { join } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { TenantModels } from '@app/application';
import type { AppConfig } from '../../config.js';
import { part } from '../parts.js';

/** Returns the path of the models that `models refresh` has fetched from the provider, in the data folder. */
export const refreshedModels = ({ PALIMPSEST_DATA }: Pick<AppConfig, 'PALIMPSEST_DATA'>): string =>
  join(PALIMPSEST_DATA, 'models.json');

/** The windows, limits and prices of models. One vocabulary counts tokens for all sessions; calibration tells models apart. */
export const MODELS = [
  part('installed', ['config'], ({ config }) => {
    const { PALIMPSEST_MODELS_FILE: operator } = config;
    return readModels({ refreshed: refreshedModels(config), ...(operator !== undefined && { operator }) });
  }),
  part('models', ['tenants', 'installed'], ({ tenants, installed }) => new TenantModels(tenants, installed)),
  part('counter', [], () => openTokenCounter()),
];
