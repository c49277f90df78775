import {
  isPivotEvent,
  type PivotEvent,
  type Placed,
  pivotFactsOf,
  type Tail,
  withoutReverted,
} from '@app/domain';
import { type CompactionId, Revision, type StreamName } from '@app/kernel';
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
export type TailOptions = {
  readonly asOf?: Revision | undefined;
  /** Reads what would be there had this compaction never been. */
  readonly without?: CompactionId | undefined;
};

type Pivot = { readonly event: PivotEvent; readonly revision: Revision };

/**
 * Reads a stream backwards from `asOf`, or from its end, to the newest compaction that was not reverted, and on to its
 * cut; never further, but for the rest of a page, however long the session is.
 */
export const readTail = async (
  log: EventLog,
  stream: StreamName,
  { asOf, without }: TailOptions = {},
): Promise<ReadTail> => {
  const reverted = new Set<CompactionId>(without && [without]);
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

const collect = async (events: AsyncIterable<Recorded>): Promise<Recorded[]> => {
  const all: Recorded[] = [];
  for await (const recorded of events) all.push(recorded);
  return all;
};
