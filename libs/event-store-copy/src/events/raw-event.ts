/** An event of the log as bytes instead of values, so that a copy is identical. */
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

/** Whether the event is a tombstone, which is not appended like others, and whose id the server assigns. */
export const isTombstone = ({ type }: RawEvent): boolean => type === '$streamDeleted';

export const sizeOf = ({ data, metadata }: RawEvent): number => data.length + metadata.length;
