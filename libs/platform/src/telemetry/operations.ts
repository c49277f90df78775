import type { IncomingHttpHeaders } from 'node:http';
import type { TransparencyLogs, WebhookDeliveries, WitnessLag } from '@app/ports';
import type { AppConfig } from '../config.js';
import { type Health, HealthCheck, type HealthParts } from './health.js';
import type { Metrics } from './metrics.js';

/** `streamReaders` returns the number of current stream readers of this process. */
export type OperationsParts = HealthParts & {
  readonly streamReaders: () => number;
  readonly deliveries: Pick<WebhookDeliveries, 'counts'>;
  readonly logs: Pick<TransparencyLogs, 'witnessLags'>;
};

/** Health and metrics of a process for its operators. */
export class Operations {
  readonly metrics: Metrics;
  private readonly check: HealthCheck;

  constructor(
    private readonly parts: OperationsParts,
    /** Clients that may read the metrics. */
    readonly metricsFor: AppConfig['PALIMPSEST_METRICS'],
  ) {
    this.metrics = parts.metrics;
    this.check = new HealthCheck(parts);
  }

  health(): Promise<Health> {
    return this.check.now();
  }

  /** Returns the health with the state of the witnesses, which only clients that may read the metrics are told. */
  async detailedHealth(): Promise<Health & { readonly witnesses: readonly WitnessLag[] }> {
    const health = await this.health();
    const witnesses = health.postgres === 'ok' ? await this.parts.logs.witnessLags().catch(() => []) : [];
    return { ...health, witnesses };
  }

  /** Returns the metrics in the Prometheus text format, with current lags if the servers answer. */
  async metricsText(): Promise<string> {
    await Promise.all([this.health(), this.readDatabase()]);
    this.metrics.streamReaders.set(this.parts.streamReaders());
    return this.metrics.text(await this.parts.background()?.metrics());
  }

  /** Keeps the previous numbers if PostgreSQL does not answer. */
  private async readDatabase(): Promise<void> {
    const { postgres } = await this.health();
    if (postgres !== 'ok') return;
    const counts = await this.parts.deliveries.counts().catch(() => undefined);
    for (const [state, count] of Object.entries(counts ?? {}))
      this.metrics.webhookWaiting.set({ state }, count);
    const lags = await this.parts.logs.witnessLags().catch(() => []);
    for (const { name: witness, logsBehind, logsFailing } of lags) {
      this.metrics.witnessLogs.set({ witness, state: 'behind' }, logsBehind);
      this.metrics.witnessLogs.set({ witness, state: 'failing' }, logsFailing);
    }
  }
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether a request may read the metrics. Requests forwarded by a local proxy count as remote. */
export const mayReadMetrics = (
  setting: AppConfig['PALIMPSEST_METRICS'],
  from: { readonly address: string | undefined; readonly headers: IncomingHttpHeaders },
): boolean => {
  if (setting !== 'loopback') return setting === 'public';
  const isPassedOn = 'x-forwarded-for' in from.headers || 'forwarded' in from.headers;
  return !isPassedOn && LOOPBACK.test(from.address ?? '');
};
