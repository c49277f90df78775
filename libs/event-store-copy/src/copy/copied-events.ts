import type { Connection } from '../connection/connection.js';
import { readAll } from '../connection/read-events.js';
import { isGap } from '../events/gap.js';
import { type LeftOut, leftOut } from '../events/left-out.js';
import type { LoggedEvent, RawEvent } from '../events/raw-event.js';

export type Events = AsyncGenerator<LoggedEvent, void, undefined>;

/** Yields the events of a server that are copied; `onLeftOut` receives those that every server writes itself. */
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

/** Returns the next event that has a counterpart in the source; `onGap` receives the gap events before it. */
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
