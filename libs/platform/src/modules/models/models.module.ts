import { join } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import {
  DescribeModelHandler,
  ForgetModelHandler,
  ListModelsHandler,
  ShowModelHandler,
  TenantModels,
  TenantStore,
} from '@app/application';
import type { ModelCatalog } from '@app/domain';
import type { ModelRegistry } from '@app/ports';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import { APP_CONFIG, INSTALLED_MODELS, MODEL_REGISTRY } from '../../symbols.js';
import { TenantsModule } from '../tenants/tenants.module.js';

/** What the provider's endpoint has said of its models: beside the data of the embedded servers. */
export const refreshedModels = ({ PALIMPSEST_DATA }: Pick<AppConfig, 'PALIMPSEST_DATA'>): string =>
  join(PALIMPSEST_DATA, 'models.json');

/** What is known of models. */
@Module({
  imports: [CqrsModule, TenantsModule],
  providers: [
    {
      provide: INSTALLED_MODELS,
      useFactory: (config: AppConfig): ModelCatalog => {
        const { PALIMPSEST_MODELS_FILE: operator } = config;
        return readModels({
          refreshed: refreshedModels(config),
          ...(operator !== undefined && { operator }),
        });
      },
      inject: [APP_CONFIG],
    },
    {
      provide: MODEL_REGISTRY,
      useFactory: (tenants: TenantStore, installed: ModelCatalog): ModelRegistry =>
        new TenantModels(tenants, installed),
      inject: [TenantStore, INSTALLED_MODELS],
    },
    {
      provide: ListModelsHandler,
      useFactory: (models: ModelRegistry) => new ListModelsHandler(models),
      inject: [MODEL_REGISTRY],
    },
    {
      provide: ShowModelHandler,
      useFactory: (models: ModelRegistry) => new ShowModelHandler(models),
      inject: [MODEL_REGISTRY],
    },
    {
      provide: DescribeModelHandler,
      useFactory: (tenants: TenantStore, models: ModelRegistry) => new DescribeModelHandler(tenants, models),
      inject: [TenantStore, MODEL_REGISTRY],
    },
    {
      provide: ForgetModelHandler,
      useFactory: (tenants: TenantStore) => new ForgetModelHandler(tenants),
      inject: [TenantStore],
    },
  ],
  exports: [INSTALLED_MODELS, MODEL_REGISTRY],
})
export class ModelsModule {}
