import type { Connection } from '../connection/connection.js';
import { readAll } from '../connection/read-events.js';
import { isGap } from '../events/gap.js';
import { type OmissionReason, omissionReason } from '../events/omission-reason.js';
import type { LoggedEvent, RawEvent } from '../events/raw-event.js';

export type Events = AsyncGenerator<LoggedEvent, void, undefined>;

/** Yields the events of a server that are copied; `onOmitted` receives the ones that every server writes itself. */
export async function* copiedEvents(
  connection: Connection,
  onOmitted: (why: OmissionReason) => void = () => undefined,
  after?: bigint,
): Events {
  for await (const event of readAll(connection, after)) {
    const why = omissionReason(event.stream);
    if (why) onOmitted(why);
    else yield event;
  }
}

/** Returns the next event that has a counterpart in the source; `onGap` receives the gap events before it. */
export const nextBeyondGaps = async (
  events: Events,
  onGap: (gap: RawEvent) => void = () => undefined,
): Promise<LoggedEvent | undefined> => {
  for (;;) {
    const next = await events.next();
    if (next.done) return undefined;
    if (!isGap(next.value)) return next.value;
    onGap(next.value);
  }
};
