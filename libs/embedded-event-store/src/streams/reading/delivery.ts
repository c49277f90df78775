import type { LogReader } from '../../log/log-reader.js';
import { LINK_TYPE } from '../../log/projections/links-of.js';
import type { StoredEvent } from '../../log/record.js';

/** What is delivered: an event, or a link with what it points at, where that exists. */
export type Delivery = { readonly event: StoredEvent | undefined; readonly link?: StoredEvent };

export const deliveryOf = (
  log: LogReader,
  { resolveLinks }: { readonly resolveLinks: boolean },
  event: StoredEvent,
): Delivery => {
  if (!resolveLinks || event.type !== LINK_TYPE) return { event };
  const [, revision, stream] = /^(\d{1,15})@(.+)$/s.exec(event.data.toString('utf8')) ?? [];
  if (revision === undefined || stream === undefined) return { event: undefined, link: event };
  return { event: log.eventOf(stream, Number(revision)), link: event };
};
