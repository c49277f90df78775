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

/** An event with its commit position in the log that it was read from. */
export type LoggedEvent = RawEvent & { readonly position: bigint };

/** What marks a stream as gone for ever. It is not appended like others, and its id is the server's. */
export const isTombstone = ({ type }: RawEvent): boolean => type === '$streamDeleted';

export const sizeOf = ({ data, metadata }: RawEvent): number => data.length + metadata.length;
