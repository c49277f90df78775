import { randomUUID } from 'node:crypto';
import type { Append } from './appends/append.js';
import { EventId } from './event-id.js';
import type { EventLog } from './event-log.js';

/**
 * A real node writes events of its own when it first starts, and clients rely on $all never being empty, nor all of
 * it at the position 0, which is the name of its start. Does nothing in a log that has events.
 */
export const writeFirstEvents = async (log: EventLog): Promise<void> => {
  if (log.end > 0) return;
  const epoch = JSON.stringify({ epochNumber: 0, epochId: randomUUID() });
  const first = [systemEvent('$epoch-information', '$epoch-information', epoch)];
  first.push(systemEvent('$projections-$all', '$ProjectionsInitialized', '{}'));
  await Promise.all(first.map((append) => log.append(append)));
};

/** Whether it is a stream in which the store tells about itself and nothing else. */
export const isAboutTheStore = (stream: string): boolean =>
  stream === '$epoch-information' || stream === '$projections-$all';

const systemEvent = (stream: string, type: string, data: string): Append => ({
  stream,
  expected: { kind: 'no-stream' },
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
