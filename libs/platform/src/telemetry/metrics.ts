import type { CompactorLoad, Tried } from '@app/application';
import { AppError } from '@app/kernel';
import type { ProjectionName } from '@app/ports';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Buckets of request durations in seconds, from an append to an export. */
const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Buckets of summary durations in seconds, from one without a model to the timeout. */
const SUMMARY_SECONDS = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 20, 40, 80, 160, 240];

/** Buckets of delivery delays in seconds, from immediate to after a day of retries. */
const DELAY_SECONDS = [0.05, 0.25, 1, 5, 30, 120, 600, 3_600, 21_600, 86_400];

/** Metrics of a process as data, which another process can add to its own. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Returns the counters and histograms of a process that has ended: totals must not fall. */
export const countersOf = (metrics: MetricValues): MetricValues =>
  metrics.filter(({ type }) => String(type) !== 'gauge');

/** Returns the sums over processes. */
export const summed = (all: readonly MetricValues[]): Promise<MetricValues> =>
  AggregatorRegistry.aggregate(summable(all)).getMetricsAsJSON();

/** Metrics that are not added up, such as the time of the start, are those of the first process. */
const summable = ([first = [], ...others]: readonly MetricValues[]): MetricValues[] => {
  const alone = new Set(first.filter(({ aggregator }) => aggregator === 'omit').map(({ name }) => name));
  return [
    first.map((metric) => (alone.has(metric.name) ? { ...metric, aggregator: 'first' } : metric)),
    ...others.map((metrics) => metrics.filter(({ aggregator }) => aggregator !== 'omit')),
  ];
};

/**
 * Prometheus metrics of a process. Tenants and sessions are never labels: the number of series would grow with them, and
 * readers of metrics would see them.
 */
export class Metrics {
  readonly registry = new Registry();
  private collectsProcess = false;

  /**
   * HTTP requests by declared route, not by requested path, and by the class of their status: the histogram has many buckets, and all
   * of its text is written at once.
   */
  readonly requests = new Histogram({
    name: 'palimpsest_http_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  readonly appends = this.counter(
    'palimpsest_appends_total',
    'Appends to the event log: recorded, conflict or failed.',
    ['outcome'],
  );
  readonly appendedEvents = this.counter('palimpsest_appended_events_total', 'Events appended to the log.');
  readonly compactions = this.counter(
    'palimpsest_compactions_total',
    'Compactions that this process ended.',
    ['trigger', 'outcome'],
  );
  readonly tokensSaved = this.counter('palimpsest_tokens_saved_total', 'Tokens removed from contexts.');
  readonly summaries = new Histogram({
    name: 'palimpsest_summarizer_duration_seconds',
    help: 'Duration of calls of summarizers.',
    labelNames: ['summarizer', 'outcome'],
    buckets: SUMMARY_SECONDS,
    registers: [this.registry],
  });
  readonly summarizerErrors = this.counter(
    'palimpsest_summarizer_errors_total',
    'Failed calls of summarizers.',
    ['summarizer', 'kind'],
  );
  readonly projectedEvents = this.counter(
    'palimpsest_projected_events_total',
    'Events projected by this process.',
    ['projection'],
  );
  /** Both are read from the database, so they are the same in every process. */
  readonly projectionLag = this.gauge(
    'palimpsest_projection_lag_events',
    'Events in the log that are not yet in the rows.',
    ['projection'],
  );
  readonly projectionStoppedStreams = this.gauge(
    'palimpsest_projection_stopped_streams',
    'Streams whose rows a projection has stopped; at most 10,000.',
    ['projection'],
  );
  readonly compactorLoad = this.gauge(
    'palimpsest_compactor_load',
    'Compactions running and waiting in this process, and tenants of the waiting ones.',
    ['state'],
  );
  readonly problems = this.counter('palimpsest_problems_total', 'Problems that this process survived.', [
    'place',
    'code',
  ]);
  readonly unrecordedRequests = this.counter(
    'palimpsest_gateway_unrecorded_requests_total',
    'Requests that the gateway sent unchanged during an outage: unrecorded until their conversation continues, and never billed.',
    ['code'],
  );
  readonly webhookDeliveries = this.counter(
    'palimpsest_webhook_deliveries_total',
    'Attempts to deliver an event to a webhook: delivered, failed or dead.',
    ['outcome'],
  );
  readonly webhookDelay = new Histogram({
    name: 'palimpsest_webhook_delivery_delay_seconds',
    help: 'Time from the recording of an event to its delivery to a webhook.',
    buckets: DELAY_SECONDS,
    registers: [this.registry],
  });
  /** Read from the database, so it is the same in every process. */
  readonly webhookWaiting = this.gauge(
    'palimpsest_webhook_deliveries_pending',
    'Deliveries pending and dead; at most 10,000 of each.',
    ['state'],
  );
  readonly witnessSubmissions = this.counter(
    'palimpsest_witness_submissions_total',
    'Checkpoints submitted to witnesses: cosigned or failed.',
    ['witness', 'outcome'],
  );
  /** Read from the database, so it is the same in every process. */
  readonly witnessLogs = this.gauge(
    'palimpsest_witness_logs',
    'Transparency logs whose newest checkpoint a witness has not cosigned, or never cosigns.',
    ['witness', 'state'],
  );
  readonly streamReaders = this.gauge('palimpsest_stream_readers', 'Readers of event streams.');

  projected(projections: readonly ProjectionName[], events: number): void {
    for (const projection of projections) this.projectedEvents.inc({ projection }, events);
  }

  compactorHas({ running, waiting, tenantsWaiting }: CompactorLoad): void {
    this.compactorLoad.set({ state: 'running' }, running);
    this.compactorLoad.set({ state: 'waiting' }, waiting);
    this.compactorLoad.set({ state: 'tenants-waiting' }, tenantsWaiting);
  }

  /** Counts an attempt; one that leaves the delivery pending has failed and is retried. */
  webhookTried({ state, triedAt, recordedAt }: Tried): void {
    this.webhookDeliveries.inc({ outcome: state === 'pending' ? 'failed' : state });
    if (state !== 'delivered' || recordedAt === undefined) return;
    this.webhookDelay.observe(Math.max(0, Date.parse(triedAt) - Date.parse(recordedAt)) / 1_000);
  }

  witnessAnswered(witness: string, isCosigned: boolean): void {
    this.witnessSubmissions.inc({ witness, outcome: isCosigned ? 'cosigned' : 'failed' });
  }

  problem(place: string, error: unknown): void {
    this.problems.inc({ place, code: error instanceof AppError ? error.code : 'unknown' });
  }

  /** Returns all metrics in the Prometheus text format, summed with those of other processes. */
  async text(others: readonly MetricValues[] = []): Promise<string> {
    const own = await this.values();
    const shared = new Set(others.flat().flatMap(({ name, values }) => (values.length > 0 ? [name] : [])));
    const alone = own.filter(({ name }) => !shared.has(name));
    const texts = await Promise.all(alone.map(({ name }) => this.registry.getSingleMetricAsString(name)));
    const both = [own, ...others].map((metrics) => metrics.filter(({ name }) => shared.has(name)));
    const sums = await AggregatorRegistry.aggregate(summable(both)).metrics();
    return [...texts, sums].join('\n');
  }

  /** Returns all metrics as data. */
  values(): Promise<MetricValues> {
    // Default metrics are collected only once metrics are requested.
    if (!this.collectsProcess) collectDefaultMetrics({ register: this.registry });
    this.collectsProcess = true;
    return this.registry.getMetricsAsJSON();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  private counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}
