import { randomUUID } from 'node:crypto';
import type { Append } from './appends/append.js';
import { EventId } from './event-id.js';
import type { EventLog } from './event-log.js';

/**
 * Writes the events that an EventStoreDB node writes at its first start: clients expect $all to have an event, and
 * one after position 0. Does nothing in a log with events.
 */
export const writeFirstEvents = async (log: EventLog): Promise<void> => {
  if (log.end > 0) return;
  const epoch = JSON.stringify({ epochNumber: 0, epochId: randomUUID() });
  const first = [systemEvent('$epoch-information', '$epoch-information', epoch)];
  first.push(systemEvent('$projections-$all', '$ProjectionsInitialized', '{}'));
  await Promise.all(first.map((append) => log.append(append)));
};

/** Whether the store writes events about itself to this stream. */
export const isServerStream = (stream: string): boolean =>
  stream === '$epoch-information' || stream === '$projections-$all';

/** Returns the append of one system event, with its data as JSON. */
export const systemEvent = (
  stream: string,
  type: string,
  data: string,
  expected: Append['expected'] = { kind: 'no-stream' },
): Append => ({
  stream,
  expected,
  events: [
    {
      id: EventId(randomUUID()),
      type,
      contentType: 'application/json',
      data: Buffer.from(data),
      metadata: Buffer.alloc(0),
    },
  ],
});
