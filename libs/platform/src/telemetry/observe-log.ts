import type { SessionEvent, Trigger } from '@app/domain';
import { BoundedMap, type CompactionId } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import { SpanKind } from '@opentelemetry/api';
import type { Metrics } from './metrics.js';
import { currentTraceparent, inSpan } from './spans.js';

/** Maximum of unfinished compactions whose trigger is remembered. */
const TRIGGERS_MAX = 10_000;

/** Wraps the log: counts and traces appends, adds the trace to events, and calls `onRead` with every event that is read. */
export const observeLog = (
  log: EventLog,
  metrics: Metrics,
  onRead: (recorded: Recorded) => void,
): EventLog => {
  const compactions = new CompactionCounter(metrics);
  const seen = async function* (events: AsyncIterable<Recorded>): AsyncIterable<Recorded> {
    for await (const recorded of events) {
      compactions.noteTrigger(recorded.event);
      onRead(recorded);
      yield recorded;
    }
  };
  return {
    append: (stream, expected, events, context) =>
      inSpan(
        'append',
        { kind: SpanKind.PRODUCER, attributes: { 'palimpsest.events': events.length } },
        async () => {
          const traceparent = context.traceparent ?? currentTraceparent();
          const traced = { ...context, ...(traceparent !== undefined && { traceparent }) };
          try {
            const revision = await log.append(stream, expected, events, traced);
            metrics.appends.inc({ outcome: 'recorded' });
            metrics.appendedEvents.inc(events.length);
            for (const { event } of events) compactions.count(event);
            return revision;
          } catch (error) {
            const isRace = error instanceof Error && error.name === 'ConflictError';
            metrics.appends.inc({ outcome: isRace ? 'conflict' : 'failed' });
            throw error;
          }
        },
      ),
    readForwards: (stream, options) => seen(log.readForwards(stream, options)),
    readBackwards: (stream, options) => seen(log.readBackwards(stream, options)),
  };
};

/** Counts ended compactions by trigger, which only the preceding request event contains. */
class CompactionCounter {
  private readonly triggers = new BoundedMap<CompactionId, Trigger>(TRIGGERS_MAX);

  constructor(private readonly metrics: Metrics) {}

  noteTrigger(event: SessionEvent): void {
    if (event.type !== 'CompactionRequested') return;
    this.triggers.set(event.data.compactionId, event.data.trigger);
  }

  count(event: SessionEvent): void {
    this.noteTrigger(event);
    const { compactions, tokensSaved } = this.metrics;
    switch (event.type) {
      case 'CompactionCompleted':
        compactions.inc({ trigger: event.data.trigger, outcome: 'completed' });
        tokensSaved.inc(Math.max(0, event.data.countedBefore - event.data.countedAfter));
        this.triggers.delete(event.data.compactionId);
        return;
      case 'CompactionSkipped':
        compactions.inc({ trigger: event.data.trigger, outcome: 'skipped' });
        return;
      case 'CompactionFailed':
        compactions.inc({ trigger: this.triggerOf(event.data.compactionId), outcome: 'failed' });
        this.triggers.delete(event.data.compactionId);
        return;
      case 'CompactionCancelled':
        compactions.inc({ trigger: this.triggerOf(event.data.compactionId), outcome: 'cancelled' });
        this.triggers.delete(event.data.compactionId);
        return;
      default:
    }
  }

  private triggerOf(id: CompactionId): Trigger | 'unknown' {
    return this.triggers.get(id) ?? 'unknown';
  }
}
