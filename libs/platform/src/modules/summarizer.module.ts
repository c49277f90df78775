import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import type { Summarizer, TokenCounter } from '@app/ports';
import { Module } from '@nestjs/common';
import { METRICS, MODELLESS_SUMMARIZER, SUMMARIZER, TOKEN_COUNTER } from '../symbols.js';
import type { Metrics } from '../telemetry/metrics.js';
import { observeSummarizer } from '../telemetry/observe-summarizer.js';
import { TokenCounterModule } from './models/token-counter.module.js';

/** The only place that knows which summarizers exist. */
@Module({
  imports: [TokenCounterModule],
  providers: [
    {
      provide: SUMMARIZER,
      useFactory: (counter: TokenCounter, metrics: Metrics): Summarizer =>
        observeSummarizer(extractiveSummarizer(counter), metrics),
      inject: [TOKEN_COUNTER, METRICS],
    },
    {
      provide: MODELLESS_SUMMARIZER,
      useFactory: (counter: TokenCounter): Summarizer => extractiveSummarizer(counter),
      inject: [TOKEN_COUNTER],
    },
  ],
  exports: [SUMMARIZER, MODELLESS_SUMMARIZER],
})
export class SummarizerModule {}
