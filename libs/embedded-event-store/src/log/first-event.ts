import { randomUUID } from 'node:crypto';
import { EventId } from './event-id.js';
import type { EventLog } from './event-log.js';

/**
 * A real node writes events of its own when it first starts, and clients rely on $all never being empty.
 * Does nothing in a log that has events.
 */
export const writeFirstEvent = async (log: EventLog): Promise<void> => {
  if (log.end > 0) return;
  await log.append({
    stream: '$epoch-information',
    expected: { kind: 'no-stream' },
    events: [
      {
        id: EventId(randomUUID()),
        type: '$epoch-information',
        contentType: 'application/json',
        data: Buffer.from(JSON.stringify({ epochNumber: 0, epochId: randomUUID() })),
        metadata: Buffer.alloc(0),
      },
    ],
  });
};
