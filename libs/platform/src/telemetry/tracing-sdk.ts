// Loaded on demand: half of the start of a process that traces nothing.
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
export {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
export { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
