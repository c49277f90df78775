import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookDeliveries } from '@app/ports';
import type { AppConfig } from '../config.js';
import { type Health, HealthCheck, type HealthParts } from './health.js';
import type { Metrics } from './metrics.js';

/** `streamReaders`: how many this process serves now. */
export type OperationsParts = HealthParts & {
  readonly streamReaders: () => number;
  readonly deliveries: Pick<WebhookDeliveries, 'counts'>;
};

/** How a process is, and what it counts: for those who run it. */
export class Operations {
  readonly metrics: Metrics;
  private readonly check: HealthCheck;

  constructor(
    private readonly parts: OperationsParts,
    /** Who may read the metrics. */
    readonly metricsFor: AppConfig['PALIMPSEST_METRICS'],
  ) {
    this.metrics = parts.metrics;
    this.check = new HealthCheck(parts);
  }

  health(): Promise<Health> {
    return this.check.now();
  }

  /** In the text format of Prometheus; lags as of now, where what they are counted from answers. */
  async metricsText(): Promise<string> {
    await Promise.all([this.health(), this.countDeliveries()]);
    this.metrics.streamReaders.set(this.parts.streamReaders());
    return this.metrics.text();
  }

  /** Where PostgreSQL does not answer, what was counted last stands. */
  private async countDeliveries(): Promise<void> {
    const { postgres } = await this.health();
    if (postgres !== 'ok') return;
    const counts = await this.parts.deliveries.counts().catch(() => undefined);
    for (const [state, count] of Object.entries(counts ?? {}))
      this.metrics.webhookWaiting.set({ state }, count);
  }
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether a request may read the metrics. One that a proxy on this machine has passed on comes from elsewhere. */
export const mayReadMetrics = (
  setting: AppConfig['PALIMPSEST_METRICS'],
  from: { readonly address: string | undefined; readonly headers: IncomingHttpHeaders },
): boolean => {
  if (setting !== 'loopback') return setting === 'public';
  const isPassedOn = 'x-forwarded-for' in from.headers || 'forwarded' in from.headers;
  return !isPassedOn && LOOPBACK.test(from.address ?? '');
};
