import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { isPivotEvent, type SessionEvent } from '@app/domain';
import { collected, type Revision, type StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import type { Loaded } from '../decisions.js';

const moments = new AsyncLocalStorage<Moment>();

/**
 * The reads that a request is composed of: they wait once for the rows, and read one session as of one revision, from the log
 * once.
 */
export class Moment {
  /** Rows that are current enough for every read of the request, by key. */
  readonly currentRows = new Set<string>();
  /** State of the session at the revision, once it has been read. */
  state: Promise<Loaded> | undefined;
  /** Events of the session up to the revision, once one of them has been read. */
  events: Promise<readonly Recorded[]> | undefined;
  /** Those of them that {@link compactionsBackwards} yields, newest first, once they have been looked for. */
  ofCompactions: Promise<readonly Recorded[]> | undefined;

  private readonly begunAfter = timesForgotten;

  constructor(readonly pinned?: { readonly stream: StreamName; readonly revision: Revision }) {}

  /** Whether content may have been erased since the beginning: what was read before may have it in clear. */
  get isOutdated(): boolean {
    return this.begunAfter !== timesForgotten;
  }

  /** Executes reads within the moment, and all that they cause. */
  async run<Result>(reads: () => Promise<Result>): Promise<Result> {
    running.add(this);
    try {
      return await moments.run(this, reads);
    } finally {
      running.delete(this);
    }
  }
}

const running = new Set<Moment>();
let timesForgotten = 0;

/** Makes the running requests read their sessions anew: content may have been erased since. */
export const forgetInMoments = (): void => {
  timesForgotten += 1;
  for (const moment of running) {
    moment.state = undefined;
    moment.events = undefined;
    moment.ofCompactions = undefined;
  }
};

/** Returns the moment of the running read; `undefined` for a read that stands alone. */
export const currentMoment = (): Moment | undefined => moments.getStore();

/** Returns the newest revision of a stream that the running read may see; `undefined` without a limit. */
export const pinnedRevision = (stream: StreamName): Revision | undefined => momentOf(stream)?.pinned.revision;

/** Wraps a log: reads within a moment see its session up to its revision, and read it from the log once. */
export const pinnedReads = (log: EventLog): EventLog => ({
  append: (stream, expected, events, context) => log.append(stream, expected, events, context),
  readForwards: (stream, range) => {
    const moment = momentOf(stream);
    return moment ? eventsIn(moment, log, range, 1) : log.readForwards(stream, range);
  },
  readBackwards: (stream, range) => {
    const moment = momentOf(stream);
    return moment ? eventsIn(moment, log, range, -1) : log.readBackwards(stream, range);
  },
});

/**
 * Yields the newest event of a session, and all that concern compactions, newest first. Within a moment, several reads look for
 * them once.
 */
export async function* compactionsBackwards(
  log: EventLog,
  stream: StreamName,
): AsyncGenerator<Recorded, void, undefined> {
  const moment = momentOf(stream);
  if (moment) moment.ofCompactions ??= collected(ofCompactions(log, stream));
  yield* (await moment?.ofCompactions) ?? ofCompactions(log, stream);
}

async function* ofCompactions(log: EventLog, stream: StreamName): AsyncGenerator<Recorded> {
  let isNewest = true;
  for await (const recorded of log.readBackwards(stream)) {
    if (isNewest || concernsCompactions(recorded.event)) yield recorded;
    isNewest = false;
  }
}

const concernsCompactions = (event: SessionEvent): boolean =>
  'compactionId' in event.data || isPivotEvent(event) || event.type === 'ContentErased';

type Pinned = Moment & { readonly pinned: NonNullable<Moment['pinned']> };
type Range = Parameters<EventLog['readForwards']>[1];

const momentOf = (stream: StreamName): Pinned | undefined => {
  const moment = moments.getStore();
  return moment && isPinned(moment) && moment.pinned.stream === stream ? moment : undefined;
};
const isPinned = (moment: Moment): moment is Pinned => moment.pinned !== undefined;

/** Events read in one turn of the event loop. */
const EVENTS_A_TURN = 1_000;

async function* eventsIn(
  moment: Pinned,
  log: EventLog,
  range: Range,
  step: 1 | -1,
): AsyncGenerator<Recorded> {
  moment.events ??= collect(log, moment.pinned);
  const events = await moment.events;
  const newest = events.length - 1;
  const from = step === 1 ? (range?.from ?? 0) : Math.min(range?.from ?? newest, newest);
  const limit = range?.limit ?? events.length;
  for (let read = 0; read < limit; read += 1) {
    if (read % EVENTS_A_TURN === 0) await yieldToLoop();
    const event = events[from + read * step];
    if (!event) return;
    yield event;
  }
}

const collect = (log: EventLog, { stream, revision }: Pinned['pinned']): Promise<readonly Recorded[]> =>
  collected(log.readForwards(stream, { limit: revision + 1 }));
