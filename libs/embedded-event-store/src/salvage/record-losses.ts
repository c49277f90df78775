import { randomUUID } from 'node:crypto';
import { EventId } from '../log/event-id.js';
import type { EventLog } from '../log/event-log.js';
import type { Engine } from '../storage/engine.js';
import { decodeLosses, encodeLosses, LOST_KEY } from '../storage/integrity/lost-ranges.js';

/** The stream of lost ranges. */
const LOSSES_STREAM = '$log-losses';
const LOSS_TYPE = '$LogLoss';

/** Appends an event for each accepted loss without one. A crash may cause a duplicate. */
export const recordLosses = async (log: EventLog, engine: Engine): Promise<void> => {
  const losses = decodeLosses(engine.get('about', LOST_KEY));
  const unrecorded = losses.filter(({ isRecorded }) => !isRecorded);
  if (unrecorded.length === 0) return;
  for (const { isRecorded: _, ...loss } of unrecorded)
    await log.append({
      stream: LOSSES_STREAM,
      expected: { kind: 'any' },
      events: [
        {
          id: EventId(randomUUID()),
          type: LOSS_TYPE,
          contentType: 'application/json',
          data: Buffer.from(JSON.stringify(loss)),
          metadata: Buffer.alloc(0),
        },
      ],
    });
  const recorded = losses.map((loss) => ({ ...loss, isRecorded: true }));
  await log.put([{ table: 'about', key: LOST_KEY, value: encodeLosses(recorded) }]);
};
