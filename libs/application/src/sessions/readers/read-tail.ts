import {
  isPivotEvent,
  type PivotEvent,
  type Placed,
  pivotFactsOf,
  type Tail,
  withoutReverted,
} from '@app/domain';
import { type CompactionId, collected, Revision, type StreamName } from '@app/kernel';
import type { EventLog } from '@app/ports';

/** Events per page while searching for the newest compaction. */
const PAGE = 256;

/** The part of a stream from which the state is rebuilt, and the number of events read. */
export type ReadTail = {
  readonly tail: Tail;
  /** Newest revision read; `undefined` if the stream does not exist. */
  readonly revision: Revision | undefined;
  readonly eventsRead: number;
};
export type TailOptions = {
  readonly asOf?: Revision | undefined;
  /** Reads the stream as if this compaction did not exist. */
  readonly without?: CompactionId | undefined;
};

type Pivot = { readonly event: PivotEvent; readonly revision: Revision };

/**
 * Reads a stream backwards from `asOf` or its end to the newest unreverted compaction, and on to its cut. Apart from the rest
 * of a page it reads no further, independent of the session's length.
 */
export const readTail = async (
  log: Pick<EventLog, 'readBackwards'>,
  stream: StreamName,
  { asOf, without }: TailOptions = {},
): Promise<ReadTail> => {
  const reverted = new Set<CompactionId>(without && [without]);
  const newestFirst: Placed[] = [];
  let pivot: Pivot | undefined;
  let revision: Revision | undefined;
  let eventsRead = 0;
  let oldest = 0; // Oldest revision known to be needed.
  let from = asOf;

  for (;;) {
    const limit: number = pivot && from !== undefined ? from - oldest + 1 : PAGE;
    const page = await collected(log.readBackwards(stream, { ...(from !== undefined && { from }), limit }));
    eventsRead += page.length;
    revision ??= page[0]?.revision;
    for (const recorded of page) {
      const { event } = recorded;
      if (recorded.revision < oldest) break;
      if (event.type === 'CompactionReverted') reverted.add(event.data.compactionId);
      if (!pivot && isPivotEvent(event) && !reverted.has(event.data.compactionId)) {
        pivot = { event, revision: recorded.revision };
        oldest = pivotFactsOf(event).cut?.revision ?? recorded.revision;
      } else newestFirst.push(recorded);
    }
    const last = page.at(-1);
    if (!last || last.revision <= oldest) break;
    from = Revision(last.revision - 1);
  }
  return { tail: tailOf(newestFirst.reverse(), pivot, reverted), revision, eventsRead };
};

const tailOf = (
  events: readonly Placed[],
  pivot: Pivot | undefined,
  reverted: ReadonlySet<CompactionId>,
): Tail => {
  const left = withoutReverted(events, reverted);
  if (!pivot) return { pivot, after: left };
  const before = left.filter((placed) => placed.revision < pivot.revision);
  return { pivot: { ...pivot, before }, after: left.slice(before.length) };
};
