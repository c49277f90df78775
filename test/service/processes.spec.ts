import { startInProcesses } from '@app/deployments';
import { afterAll } from '@jest/globals';
import { describeService } from './service-suite.js';
import { processTests } from './suite/processes.js';
import { TraceCollector } from './support/trace-collector.js';

/** Servers to use instead of those that the suite starts. */
const { PALIMPSEST_TEST_EVENTSTORE_URL: eventStoreUrl, PALIMPSEST_TEST_POSTGRES_URL: postgresUrl } =
  process.env;

let collector: TraceCollector | undefined;
afterAll(() => collector?.stop());

// API, worker, event store and PostgreSQL as separate processes, connected by URLs only.
describeService({
  name: 'processes',
  start: async (settings) => {
    collector = await TraceCollector.start();
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' };
    const servers = { ...(eventStoreUrl && { eventStoreUrl }), ...(postgresUrl && { postgresUrl }) };
    return startInProcesses({ ...settings, ...tracing }, servers);
  },
  besides: (service, deployment) => processTests(service, deployment, () => collector),
});
