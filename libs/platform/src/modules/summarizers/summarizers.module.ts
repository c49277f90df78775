import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import { TenantStore } from '@app/application';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  METRICS,
  MODEL_REGISTRY,
  MODELLESS_SUMMARIZER,
  SECRET_STORE,
  SUMMARIZERS,
  TOKEN_COUNTER,
} from '../../symbols.js';
import { observeSummarizer } from '../../telemetry/observe-summarizer.js';
import { ModelsModule } from '../models/models.module.js';
import { TokenCounterModule } from '../models/token-counter.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { configuredSummarizers } from './configured-summarizers.js';
import { operatorKeys } from './operator-keys.js';

const NEEDS = {
  config: APP_CONFIG,
  extractive: MODELLESS_SUMMARIZER,
  metrics: METRICS,
  tenants: TenantStore,
  secrets: SECRET_STORE,
  models: MODEL_REGISTRY,
} as const;

/** The summarizers by name, for a tenant and a session, and the one without a model. */
@Module({
  imports: [ModelsModule, SecretsModule, TenantsModule, TokenCounterModule],
  providers: [
    factoryProvider(MODELLESS_SUMMARIZER, { counter: TOKEN_COUNTER }, ({ counter }) =>
      extractiveSummarizer(counter),
    ),
    factoryProvider(SUMMARIZERS, NEEDS, async ({ metrics, ...parts }) =>
      configuredSummarizers({
        ...parts,
        keys: await operatorKeys(parts.config),
        observe: (summarizer) => observeSummarizer(summarizer, metrics),
      }),
    ),
  ],
  exports: [SUMMARIZERS, MODELLESS_SUMMARIZER],
})
export class SummarizersModule {}
