import { context, propagation, trace } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Stops tracing, when what has been traced is on its way. */
export type Tracing = { close(): Promise<void> };

const NONE: Tracing = { close: () => Promise.resolve() };

/**
 * Begins tracing where there is a collector to send traces to, for the whole process; else nothing is loaded, and spans are
 * made of nothing.
 *
 * @param processors who else takes spans; tests do.
 */
export const startTracing = async (
  endpoint: string | undefined,
  processors: readonly SpanProcessor[] = [],
): Promise<Tracing> => {
  if (endpoint === undefined && processors.length === 0) return NONE;
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const sending: SpanProcessor[] = [];
  if (endpoint !== undefined) {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    sending.push(new BatchSpanProcessor(new OTLPTraceExporter({ url })));
  }
  // The name of the service comes from OTEL_SERVICE_NAME, as the SDK reads it by itself.
  process.env.OTEL_SERVICE_NAME ??= 'palimpsest';
  const provider = new NodeTracerProvider({ spanProcessors: [...sending, ...processors] });
  provider.register();
  return {
    close: async () => {
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
};
