import { correlationOf, LINK_TYPE } from '../../log/projections/links-of.js';
import type { Delivery } from '../../streams/reads/delivery.js';

/** Returns the stream of an event; the target stream of an unresolved link. */
export const pinnedByStream = ({ event, link }: Delivery): string => {
  const shown = event ?? link;
  if (!shown) return '';
  if (shown.type !== LINK_TYPE) return shown.stream;
  const target = shown.data.toString('utf8');
  return target.slice(target.indexOf('@') + 1);
};

/** Returns the `$correlationId` of an event's metadata; without one, its stream. */
export const pinnedByCorrelation = (delivery: Delivery): string => {
  const shown = delivery.event ?? delivery.link;
  return (shown && correlationOf(shown)) ?? pinnedByStream(delivery);
};
