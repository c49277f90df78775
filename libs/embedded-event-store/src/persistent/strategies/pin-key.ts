import { correlationOf, LINK_TYPE } from '../../log/projections/links-of.js';
import type { Delivery } from '../../streams/reads/delivery.js';

/** The stream that an event is from; for a link that is not resolved, the stream that it points into. */
export const pinnedByStream = ({ event, link }: Delivery): string => {
  const shown = event ?? link;
  if (!shown) return '';
  if (shown.type !== LINK_TYPE) return shown.stream;
  const target = shown.data.toString('utf8');
  return target.slice(target.indexOf('@') + 1);
};

/** The `$correlationId` of an event's metadata; its stream where it has none. */
export const pinnedByCorrelation = (delivery: Delivery): string => {
  const shown = delivery.event ?? delivery.link;
  return (shown && correlationOf(shown)) ?? pinnedByStream(delivery);
};
