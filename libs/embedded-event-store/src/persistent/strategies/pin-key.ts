import { isJsonObject } from '@app/kernel';
import { type Delivery, LINK_TYPE } from '../../streams/reading/delivery.js';
import { metadataOf } from './event-metadata.js';

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
  const metadata = shown && parsed(metadataOf(shown));
  if (isJsonObject(metadata) && typeof metadata.$correlationId === 'string') return metadata.$correlationId;
  return pinnedByStream(delivery);
};

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined; // Metadata may be anything.
  }
};
