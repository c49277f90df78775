// Loaded on demand, since it doubles the start time.
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
export {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
export { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
