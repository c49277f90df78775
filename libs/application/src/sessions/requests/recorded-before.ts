import type { IsoTime, StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';

/** Upper bound of clock differences between writers, in milliseconds. */
const CLOCKS_APART_MS = 600_000;

/**
 * Returns the events with these IDs, oldest first, if one append has recorded them; otherwise an empty list.
 *
 * @param begunAfter start of the search; by default the whole stream.
 */
export const recordedBefore = async (
  log: EventLog,
  stream: StreamName,
  idOf: (index: number) => string,
  begunAfter: IsoTime | undefined,
): Promise<readonly Recorded[]> => {
  const oldest = begunAfter === undefined ? 0 : Date.parse(begunAfter) - CLOCKS_APART_MS;
  const first = idOf(0);
  const newestFirst: Recorded[] = [];
  for await (const recorded of log.readBackwards(stream)) {
    if (Date.parse(recorded.recordedAt) < oldest) return [];
    newestFirst.push(recorded);
    if (recorded.id === first) return ownOf(newestFirst.reverse(), idOf);
  }
  return [];
};

const ownOf = (events: readonly Recorded[], idOf: (index: number) => string): readonly Recorded[] => {
  const others = events.findIndex(({ id }, index) => id !== idOf(index));
  return others < 0 ? events : events.slice(0, others);
};
