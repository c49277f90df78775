import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import type { Summarizer, SummarizerChoice, TokenCounter } from '@app/ports';
import { Module } from '@nestjs/common';
import type { AppConfig } from '../../config.js';
import { APP_CONFIG, METRICS, MODELLESS_SUMMARIZER, SUMMARIZERS, TOKEN_COUNTER } from '../../symbols.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { observeSummarizer } from '../../telemetry/observe-summarizer.js';
import { TokenCounterModule } from '../token-counter.module.js';
import { configuredSummarizers } from './configured-summarizers.js';
import { operatorKeys } from './operator-keys.js';

/** Who summarizes: by name, for a tenant and a session; and who does so without a model. */
@Module({
  imports: [TokenCounterModule],
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
      ): Promise<SummarizerChoice> =>
        configuredSummarizers({
          config,
          keys: await operatorKeys(config),
          extractive,
          observe: (summarizer) => observeSummarizer(summarizer, metrics),
        }),
      inject: [APP_CONFIG, MODELLESS_SUMMARIZER, METRICS],
    },
  ],
  exports: [SUMMARIZERS, MODELLESS_SUMMARIZER],
})
export class SummarizersModule {}
