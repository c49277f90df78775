import type { ProjectorObserver } from '@app/adapters/read-model-postgres';
import type { CompactionRunner } from '@app/application';
import { BoundedMap } from '@app/kernel';
import type { RecordedInLog, Subscriptions } from '@app/ports';
import { SpanKind } from '@opentelemetry/api';
import { logLine } from '../log-problem.js';
import type { Metrics } from './metrics.js';
import { contextOf, inSpan, startSpan } from './spans.js';

/** Maximum of traces that one batch of events continues; others are not followed. */
const TRACES_MAX = 100;

/** Returns an observer of a projector: rates, stops, and a span in each trace of its events. */
export const projectorObserver = (metrics: Metrics): ProjectorObserver => ({
  around: async (events, work) => {
    const parents = new Set(events.flatMap(({ context }) => context.traceparent ?? []));
    const spans = [...parents].slice(0, TRACES_MAX).map((traceparent) =>
      startSpan('project', {
        kind: SpanKind.CONSUMER,
        parent: contextOf(traceparent),
        attributes: { 'palimpsest.events': events.length },
      }),
    );
    try {
      return await work();
    } finally {
      for (const span of spans) span.end();
    }
  },
  applied: (projections, events) => metrics.projected(projections, events),
  stopped: ({ projection, stream, revision, position, type, error }) => {
    const event = { stream, revision, position: String(position), type };
    logLine('error', { event: 'projection-stopped', projection, ...event, code: error });
  },
});

/** Maximum of waiting or running compactions whose trace is remembered. */
const REQUESTS_MAX = 10_000;

type Traced = {
  readonly subscriptions: Pick<Subscriptions, 'durable'>;
  readonly runner: Pick<CompactionRunner, 'run'>;
};

/** Wraps the parts so that a compaction continues the trace of its request. */
export const traceCompactions = ({ subscriptions, runner }: Traced): Traced => {
  const parents = new BoundedMap<string, string>(REQUESTS_MAX);
  const note = ({ id, context }: RecordedInLog): void => {
    if (context.traceparent === undefined) return;
    parents.set(id, context.traceparent);
  };
  return {
    subscriptions: {
      durable: async function* (group, types, signal, held, onParked) {
        for await (const delivery of subscriptions.durable(group, types, signal, held, onParked)) {
          note(delivery.recorded);
          yield delivery;
        }
      },
    },
    runner: {
      run: (ref, compactionId, causationId, signal) =>
        inSpan('compact', { kind: SpanKind.CONSUMER, parent: contextOf(parents.get(causationId)) }, () =>
          runner.run(ref, compactionId, causationId, signal),
        ),
    },
  };
};
