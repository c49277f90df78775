import { reopeningText } from './metadata-event.js';

/** An event as it is in the log: bytes, not values, so that a copy has the very same. */
export type RawEvent = {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
};

/** What marks a stream as gone for ever. It is not appended like others, and its id is the server's. */
export const isTombstone = ({ type }: RawEvent): boolean => type === '$streamDeleted';

export const sizeOf = ({ data, metadata }: RawEvent): number => data.length + metadata.length;

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
