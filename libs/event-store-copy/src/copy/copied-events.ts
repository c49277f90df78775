import type { Connection } from '../connection/connection.js';
import { readAll } from '../connection/read-events.js';
import { isGap } from '../events/gap.js';
import { type LeftOut, leftOut } from '../events/left-out.js';
import type { LoggedEvent, RawEvent } from '../events/raw-event.js';

export type Events = AsyncGenerator<LoggedEvent, void, undefined>;

/** The events of a server that a copy has; `onLeftOut` hears of those that every server writes for itself. */
export async function* copiedEvents(
  connection: Connection,
  onLeftOut: (why: LeftOut) => void = () => undefined,
): Events {
  for await (const event of readAll(connection)) {
    const why = leftOut(event.stream);
    if (why) onLeftOut(why);
    else yield event;
  }
}

/** The next event that stands for one of the source; `onGap` hears of those that stand for none. */
export const nextBeyondGaps = async (
  events: Events,
  onGap: (gap: RawEvent) => void = () => undefined,
): Promise<RawEvent | undefined> => {
  for (;;) {
    const next = await events.next();
    if (next.done) return undefined;
    if (!isGap(next.value)) return next.value;
    onGap(next.value);
  }
};
