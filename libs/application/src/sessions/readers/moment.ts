import { AsyncLocalStorage } from 'node:async_hooks';
import type { Revision, StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import type { Loaded } from '../decisions/decide-all.js';

const moments = new AsyncLocalStorage<Moment>();

/** The reads that a request is composed of: they wait once for the rows, and read one session as of one revision. */
export class Moment {
  /** Rows that are current enough for every read of the request, by key. */
  readonly currentRows = new Set<string>();
  /** State of the session at the revision, once it has been read. */
  state: Promise<Loaded> | undefined;

  constructor(readonly pinned?: { readonly stream: StreamName; readonly revision: Revision }) {}

  /** Executes reads within the moment, and all that they cause. */
  run<Result>(reads: () => Result): Result {
    return moments.run(this, reads);
  }
}

/** Returns the moment of the running read; `undefined` for a read that stands alone. */
export const currentMoment = (): Moment | undefined => moments.getStore();

/** Returns the newest revision of a stream that the running read may see; `undefined` without a limit. */
export const pinnedRevision = (stream: StreamName): Revision | undefined => {
  const pinned = moments.getStore()?.pinned;
  return pinned?.stream === stream ? pinned.revision : undefined;
};

/** Wraps a log: a read within a moment ends at the revision of the moment. */
export const pinnedReads = (log: EventLog): EventLog => ({
  append: (stream, expected, events, context) => log.append(stream, expected, events, context),
  readForwards: (stream, range) => {
    const last = pinnedRevision(stream);
    const events = log.readForwards(stream, range);
    return last === undefined ? events : upTo(events, last);
  },
  readBackwards: (stream, range) => {
    const last = pinnedRevision(stream);
    if (last === undefined || (range?.from !== undefined && range.from <= last))
      return log.readBackwards(stream, range);
    return log.readBackwards(stream, { ...range, from: last });
  },
});

async function* upTo(events: AsyncIterable<Recorded>, last: Revision): AsyncGenerator<Recorded> {
  for await (const recorded of events) {
    if (recorded.revision > last) return;
    yield recorded;
  }
}
