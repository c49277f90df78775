import type { CompactionCompleted, Placed, Tail } from '@app/domain';
import { Revision, type StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';

/** Events asked for at a time while the newest compaction is still being looked for. */
const PAGE = 256;

/** The part of a stream that its state is rebuilt from, and how many events had to be read for it. */
export type ReadTail = {
  readonly tail: Tail;
  /** The newest revision read; `undefined` where the stream does not exist. */
  readonly revision: Revision | undefined;
  readonly eventsRead: number;
};

type Pivot = { readonly completed: CompactionCompleted; readonly revision: Revision };

/**
 * Reads a stream backwards from `asOf`, or from its end, to the newest compaction and on to its cut; never further,
 * but for the rest of a page, however long the session is.
 */
export const readTail = async (log: EventLog, stream: StreamName, asOf?: Revision): Promise<ReadTail> => {
  const newestFirst: Placed[] = [];
  let pivot: Pivot | undefined;
  let revision: Revision | undefined;
  let eventsRead = 0;
  let oldest = 0; // That is needed, as far as is known.
  let from = asOf;

  for (;;) {
    const limit: number = pivot && from !== undefined ? from - oldest + 1 : PAGE;
    const page = await collect(log.readBackwards(stream, { ...(from !== undefined && { from }), limit }));
    eventsRead += page.length;
    revision ??= page[0]?.revision;
    for (const recorded of page) {
      if (recorded.revision < oldest) break;
      if (!pivot && recorded.event.type === 'CompactionCompleted') {
        pivot = { completed: recorded.event, revision: recorded.revision };
        oldest = recorded.event.data.cut.revision;
      } else newestFirst.push(recorded);
    }
    const last = page.at(-1);
    if (!last || last.revision <= oldest) break;
    from = Revision(last.revision - 1);
  }
  return { tail: tailOf(newestFirst.reverse(), pivot), revision, eventsRead };
};

const tailOf = (events: readonly Placed[], pivot: Pivot | undefined): Tail => {
  if (!pivot) return { pivot, after: events };
  const before = events.filter((placed) => placed.revision < pivot.revision);
  return { pivot: { ...pivot, before }, after: events.slice(before.length) };
};

const collect = async (events: AsyncIterable<Recorded>): Promise<Recorded[]> => {
  const all: Recorded[] = [];
  for await (const recorded of events) all.push(recorded);
  return all;
};
