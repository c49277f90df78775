import type { LogPosition } from '@app/kernel';
import type { ProjectionName, ProjectionStatus, Subscriptions } from '@app/ports';

/** Maximum lag that is counted. */
const EVENTS_MAX = 10_000;

/**
 * Returns the number of events that are in the log but not in the rows of each projection. Reads only the events that the most
 * advanced projection lacks; the distance of others is counted by themselves.
 */
export const lagsOf = async (
  subscriptions: Subscriptions,
  all: readonly ProjectionStatus[],
  signal: AbortSignal,
): Promise<ReadonlyMap<ProjectionName, number>> => {
  const [first, ...others] = all;
  if (!first) return new Map();
  const foremost = others.reduce((best, one) => (isBefore(best, one) ? one : best), first);
  const rest = await countAfter(subscriptions, foremost.position ?? 'start', signal);
  return new Map(all.map((one) => [one.projection, rest + behind(one, foremost)]));
};

const behind = (one: ProjectionStatus, foremost: ProjectionStatus): number =>
  isBefore(one, foremost) ? Math.max(1, foremost.events - one.events) : 0;

const isBefore = (one: ProjectionStatus, other: ProjectionStatus): boolean =>
  (one.position ?? -1n) < (other.position ?? -1n);

const countAfter = async (
  subscriptions: Subscriptions,
  after: LogPosition | 'start',
  signal: AbortSignal,
): Promise<number> => {
  let count = 0;
  const stop = new AbortController();
  try {
    for await (const item of subscriptions.catchUp(after, AbortSignal.any([signal, stop.signal]))) {
      if (item.kind === 'event' || item.kind === 'unreadable') count += 1;
      if (item.kind === 'caught-up' || count === EVENTS_MAX) break;
    }
  } finally {
    stop.abort();
  }
  signal.throwIfAborted();
  return count;
};
