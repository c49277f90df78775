import type { IncomingHttpHeaders } from 'node:http';
import type { AppConfig } from '../config.js';
import { type Health, HealthCheck, type HealthParts } from './health.js';
import type { Metrics } from './metrics.js';

/** `streamReaders`: how many this process serves now. */
export type OperationsParts = HealthParts & { readonly streamReaders: () => number };

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
    await this.health();
    this.metrics.streamReaders.set(this.parts.streamReaders());
    return this.metrics.text();
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
