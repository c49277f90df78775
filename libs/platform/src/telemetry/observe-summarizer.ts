import { pick } from '@app/kernel';
import { type Summarizer, SummarizerError } from '@app/ports';
import { SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import { inSpan } from './spans.js';

/** Wraps the summarizer: measures, counts and traces its calls. */
export const observeSummarizer = (summarizer: Summarizer, metrics: Metrics): Summarizer => {
  const name = summarizer.identity.name;
  return {
    ...pick(summarizer, 'identity', 'inputMax', 'splitTurn', 'repeats', 'unusable'),
    ...(summarizer.compactNatively && { compactNatively: summarizer.compactNatively.bind(summarizer) }),
    summarize: (request, signal) =>
      inSpan(
        'summarize',
        { kind: SpanKind.CLIENT, attributes: { 'palimpsest.summarizer': name } },
        async () => {
          const end = metrics.summaries.startTimer({ summarizer: name });
          try {
            const result = await summarizer.summarize(request, signal);
            end({ outcome: 'answered' });
            return result;
          } catch (error) {
            end({ outcome: 'failed' });
            const kind = error instanceof SummarizerError ? error.fault : 'defect';
            metrics.summarizerErrors.inc({ summarizer: name, kind });
            throw error;
          }
        },
      ),
  };
};
