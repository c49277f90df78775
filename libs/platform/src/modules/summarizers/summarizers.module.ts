import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import { TenantStore } from '@app/application';
import type { ModelRegistry, SecretStore, Summarizer, SummarizerChoice, TokenCounter } from '@app/ports';
import { Module } from '@nestjs/common';
import type { AppConfig } from '../../config.js';
import {
  APP_CONFIG,
  METRICS,
  MODEL_REGISTRY,
  MODELLESS_SUMMARIZER,
  SECRET_STORE,
  SUMMARIZERS,
  TOKEN_COUNTER,
} from '../../symbols.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { observeSummarizer } from '../../telemetry/observe-summarizer.js';
import { ModelsModule } from '../models/models.module.js';
import { TokenCounterModule } from '../models/token-counter.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { configuredSummarizers } from './configured-summarizers.js';
import { operatorKeys } from './operator-keys.js';

/** Who summarizes: by name, for a tenant and a session; and who does so without a model. */
@Module({
  imports: [ModelsModule, SecretsModule, TenantsModule, TokenCounterModule],
  providers: [
    {
      provide: MODELLESS_SUMMARIZER,
      useFactory: (counter: TokenCounter): Summarizer => extractiveSummarizer(counter),
      inject: [TOKEN_COUNTER],
    },
    {
      provide: SUMMARIZERS,
      useFactory: async (
        config: AppConfig,
        extractive: Summarizer,
        metrics: Metrics,
        tenants: TenantStore,
        secrets: SecretStore,
        models: ModelRegistry,
      ): Promise<SummarizerChoice> =>
        configuredSummarizers({
          ...{ config, tenants, secrets, models, extractive },
          keys: await operatorKeys(config),
          observe: (summarizer) => observeSummarizer(summarizer, metrics),
        }),
      inject: [APP_CONFIG, MODELLESS_SUMMARIZER, METRICS, TenantStore, SECRET_STORE, MODEL_REGISTRY],
    },
  ],
  exports: [SUMMARIZERS, MODELLESS_SUMMARIZER],
})
export class SummarizersModule {}
