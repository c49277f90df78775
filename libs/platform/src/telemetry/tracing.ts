import { context, propagation, trace } from '@opentelemetry/api';

/** Stops tracing, when what has been traced is on its way. */
export type Tracing = { close(): Promise<void> };

const NONE: Tracing = { close: () => Promise.resolve() };

/**
 * Begins tracing where there is a collector to send traces to, for the whole process; else nothing is loaded, and spans are
 * made of nothing. The SDK reads its other settings, such as `OTEL_TRACES_SAMPLER`, from the environment by itself.
 */
export const startTracing = async (endpoint: string | undefined): Promise<Tracing> => {
  if (endpoint === undefined) return NONE;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  process.env.OTEL_SERVICE_NAME ??= 'palimpsest';
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
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
