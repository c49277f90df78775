import type { LogReader } from '../../log/log-reader.js';
import { LINK_TYPE } from '../../log/projections/links-of.js';
import type { StoredEvent } from '../../log/record.js';

/** A delivered event, or a link with its target, if that exists. */
export type Delivery = { readonly event: StoredEvent | undefined; readonly link?: StoredEvent };

export const deliveryOf = (
  log: LogReader,
  { resolveLinks }: { readonly resolveLinks: boolean },
  event: StoredEvent,
): Delivery => {
  if (!resolveLinks || event.type !== LINK_TYPE) return { event };
  const text = event.data.toString('utf8');
  // As in EventStoreDB, a link that does not begin with a 64-bit number is delivered as an event.
  if (!startsWithInteger(text)) return { event };
  const [, revision, stream] = /^(\d{1,15})@(.+)$/s.exec(text) ?? [];
  if (revision === undefined || stream === undefined) return { event: undefined, link: event };
  return { event: log.eventOf(stream, Number(revision)), link: event };
};

const INT64_MAX = 2n ** 63n - 1n;
const startsWithInteger = (text: string): boolean => {
  const [, digits] = /^\s*[+-]?(\d{1,19})\s*(?:@|$)/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) <= INT64_MAX;
};
