import { ProtoWriter } from '@app/kernel';
import type { ExpectedRevision } from '../../log/appends/decide-append.js';

/** Encodes `message AppendResp` of the classic Append, in which a conflict is a regular answer. */
export const appendReplies = {
  success: (last: number | undefined, position: number | undefined): Buffer =>
    new ProtoWriter().bytes(1, successOf(last, position)).finish(),

  /** The fields 1 to 5 are for clients before 20.6.1. */
  conflict: (last: number | undefined, expected: ExpectedRevision): Buffer => {
    const conflict = new ProtoWriter();
    if (last === undefined) conflict.empty(2).empty(7);
    else conflict.integer(1, last).integer(6, last);
    switch (expected.kind) {
      case 'exact':
        conflict.integer(3, expected.revision).integer(8, expected.revision);
        break;
      case 'any':
        conflict.empty(4).empty(9);
        break;
      case 'stream-exists':
        conflict.empty(5).empty(10);
        break;
      case 'no-stream':
        conflict.integer(3, U64_MAX).empty(11);
        break;
    }
    return new ProtoWriter().bytes(2, conflict.finish()).finish();
  },
};

/** The value of `no stream` before it had its own field. */
const U64_MAX = 2n ** 64n - 1n;

/** Encodes the success message that Append and BatchAppend share. */
export const successOf = (last: number | undefined, position: number | undefined): Buffer => {
  const success = new ProtoWriter();
  if (last === undefined) success.empty(2);
  else success.integer(1, last);
  if (position === undefined) return success.empty(4).finish();
  return success.bytes(3, new ProtoWriter().integer(1, position).integer(2, position).finish()).finish();
};
