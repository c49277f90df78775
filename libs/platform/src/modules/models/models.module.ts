import { join } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import { TenantModels, TenantStore } from '@app/application';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import { factoryProvider } from '../../providers.js';
import { APP_CONFIG, INSTALLED_MODELS, MODEL_REGISTRY } from '../../symbols.js';
import { TenantsModule } from '../tenants/tenants.module.js';

/** Returns the path of the models that `models refresh` has fetched from the provider, in the data folder. */
export const refreshedModels = ({ PALIMPSEST_DATA }: Pick<AppConfig, 'PALIMPSEST_DATA'>): string =>
  join(PALIMPSEST_DATA, 'models.json');

/** The windows, limits and prices of models. */
@Module({
  imports: [CqrsModule, TenantsModule],
  providers: [
    factoryProvider(INSTALLED_MODELS, { config: APP_CONFIG }, ({ config }) => {
      const { PALIMPSEST_MODELS_FILE: operator } = config;
      return readModels({
        refreshed: refreshedModels(config),
        ...(operator !== undefined && { operator }),
      });
    }),
    factoryProvider(
      MODEL_REGISTRY,
      { tenants: TenantStore, installed: INSTALLED_MODELS },
      ({ tenants, installed }) => new TenantModels(tenants, installed),
    ),
  ],
  exports: [INSTALLED_MODELS, MODEL_REGISTRY],
})
export class ModelsModule {}
