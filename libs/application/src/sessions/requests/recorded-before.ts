import type { IsoTime, StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';

/** Clocks of those who record differ by less. */
const CLOCKS_APART_MS = 600_000;

/**
 * The events with these ids, oldest first, where somebody has recorded them since: one append, whole. Empty where nobody
 * has.
 *
 * @param begunAfter how far back they may stand; as far as the stream goes where nothing is said.
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
