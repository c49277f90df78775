import { hostname } from 'node:os';
import { context, propagation, trace } from '@opentelemetry/api';
import type { AppConfig } from '../config.js';
import type { ProcessRole } from '../process-settings.js';

/** Stops tracing once all spans are sent. */
export type Tracing = { close(): Promise<void> };

const NONE: Tracing = { close: () => Promise.resolve() };

/**
 * Starts tracing for the process if a collector is configured; otherwise the SDK is not loaded. The SDK reads its other
 * settings, such as `OTEL_TRACES_SAMPLER`, from the environment.
 */
export const startTracing = async (config: AppConfig): Promise<Tracing> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return NONE;
  const sdk = await import('./tracing-sdk.js');
  const exporter = new sdk.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` are last, so they take precedence.
  const resource = sdk
    .defaultResource()
    .merge(sdk.resourceFromAttributes(attributesOf(config.PALIMPSEST_ROLES)))
    .merge(sdk.detectResources({ detectors: [sdk.envDetector] }));
  const spanProcessors = [new sdk.BatchSpanProcessor(exporter)];
  const provider = new sdk.NodeTracerProvider({ resource, spanProcessors });
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

/**
 * Returns the attributes of this process: `palimpsest`, or `palimpsest-api` and `palimpsest-worker` if the roles are separate.
 */
const attributesOf = (roles: readonly ProcessRole[]): Readonly<Record<string, string | string[]>> => ({
  'service.name': serviceOf(roles),
  'service.instance.id': `${hostname()}:${process.pid}`,
  'palimpsest.roles': [...roles],
});

const serviceOf = (roles: readonly ProcessRole[]): string => {
  if (!roles.includes('api')) return 'palimpsest-worker';
  return roles.length > 1 ? 'palimpsest' : 'palimpsest-api';
};
