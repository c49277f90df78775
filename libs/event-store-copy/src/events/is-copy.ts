import { reopeningText } from './metadata-event.js';
import { isTombstone, type RawEvent } from './raw-event.js';

/** Whether `copy` is a copy of `event`. */
export const isCopy = (copy: RawEvent, event: RawEvent): boolean => {
  if (copy.stream !== event.stream || copy.type !== event.type) return false;
  if (isTombstone(event)) return true;
  if (copy.revision !== event.revision) return false;
  const reopening = reopeningText(event);
  if (reopening !== undefined) return reopeningText(copy) === reopening;
  return (
    copy.id === event.id &&
    copy.contentType === event.contentType &&
    Buffer.compare(copy.metadata, event.metadata) === 0 &&
    Buffer.compare(copy.data, event.data) === 0
  );
};
