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

/**
 * Reads a stream backwards from `asOf`, or from its end, to the newest compaction and on to its cut; never further,
 * however long the session is.
 */
export const readTail = async (log: EventLog, stream: StreamName, asOf?: Revision): Promise<ReadTail> => {
  const newest: Placed[] = [];
  let pivot: { completed: CompactionCompleted; revision: Revision } | undefined;
  let at: Revision | undefined = asOf;
  let revision: Revision | undefined;
  let eventsRead = 0;

  for (;;) {
    const limit: number = pivot && at !== undefined ? at - pivot.completed.data.cut.revision + 1 : PAGE;
    const page =
      limit > 0
        ? await collect(log.readBackwards(stream, { ...(at !== undefined && { from: at }), limit }))
        : [];
    eventsRead += page.length;
    for (const recorded of page) {
      revision ??= recorded.revision;
      at = recorded.revision === 0 ? undefined : Revision(recorded.revision - 1);
      if (pivot && recorded.revision < pivot.completed.data.cut.revision) return done();
      if (!pivot && recorded.event.type === 'CompactionCompleted') {
        pivot = { completed: recorded.event, revision: recorded.revision };
      } else newest.push(recorded);
    }
    if (page.length < limit || at === undefined) return done();
  }

  function done(): ReadTail {
    const events = newest.toReversed();
    const tail = pivot
      ? {
          pivot: { ...pivot, before: events.filter((placed) => placed.revision < (pivot?.revision ?? 0)) },
          after: events.filter((placed) => placed.revision > (pivot?.revision ?? 0)),
        }
      : { pivot: undefined, after: events };
    return { tail, revision, eventsRead };
  }
};

const collect = async (events: AsyncIterable<Recorded>): Promise<Recorded[]> => {
  const all: Recorded[] = [];
  for await (const recorded of events) all.push(recorded);
  return all;
};
