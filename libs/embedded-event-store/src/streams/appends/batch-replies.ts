import { ProtoWriter } from '@app/kernel';
import { status } from '@grpc/grpc-js';
import type { ExpectedRevision } from '../../log/appends/decide-append.js';
import type { GrpcFailure } from '../../wire/grpc-failure.js';
import { successOf } from './append-replies.js';

/** The fields of an append that its answer repeats. `stream` is `undefined` if it was malformed. */
export type BatchTarget = {
  /** The correlation id as received, an encoded UUID message. */
  readonly correlation: Uint8Array;
  readonly stream: string;
  readonly expected: ExpectedRevision;
};

/** Encodes `message BatchAppendResp`, which contains errors of single appends. */
export const batchReplies = {
  success: (target: BatchTarget, last: number | undefined, position: number | undefined): Buffer =>
    reply(target, 3, successOf(last, position)),

  conflict: (target: BatchTarget, last: number | undefined): Buffer => {
    const details = new ProtoWriter();
    if (last === undefined) details.empty(2);
    else details.integer(1, last);
    if (target.expected.kind === 'exact') details.integer(3, target.expected.revision);
    else details.empty(CONFLICT_FIELD[target.expected.kind]);
    return error(target, status.FAILED_PRECONDITION, 'WrongExpectedVersion', details.finish());
  },

  deleted: (target: BatchTarget): Buffer => {
    const details = new ProtoWriter().bytes(1, identifierOf(target)).finish();
    return error(target, status.FAILED_PRECONDITION, 'StreamDeleted', details);
  },

  timeout: (target: BatchTarget): Buffer => error(target, status.DEADLINE_EXCEEDED, 'Timeout', NOTHING),

  /**
   * Encodes other failures. The client parses few details; for all others it shows the status text, which is more
   * informative than the details `Unknown`.
   */
  failure: (target: BatchTarget, failure: GrpcFailure): Buffer => {
    const sizeMax = failure.metadata.get('maximum-append-size')[0];
    if (sizeMax !== undefined) {
      const details = new ProtoWriter().integer(1, Math.min(Number(sizeMax), UINT32_MAX)).finish();
      return error(target, failure.code, 'MaximumAppendSizeExceeded', details, failure.details);
    }
    if (failure.metadata.get('exception')[0] === 'access-denied')
      return error(target, failure.code, 'AccessDenied', NOTHING);
    const details = new ProtoWriter().string(1, failure.details).finish();
    return error(target, failure.code, 'BadRequest', details, failure.details);
  },
};

const NOTHING = Buffer.alloc(0);
const UINT32_MAX = 2 ** 32 - 1;
const CONFLICT_FIELD = { any: 4, 'stream-exists': 5, 'no-stream': 6 } as const;
const EXPECTED_FIELD = { 'no-stream': 6, any: 7, 'stream-exists': 8 } as const;

/** Encodes `message google.rpc.Status` with a protocol message as details. */
const error = (
  target: BatchTarget,
  code: status,
  type: string,
  details: Uint8Array,
  message: string = type,
): Buffer => {
  const any = new ProtoWriter(details.length + 80)
    .string(1, `type.googleapis.com/event_store.client.${type}`)
    .bytes(2, details);
  const body = new ProtoWriter(128).integer(1, code).string(2, message).bytes(3, any.finish());
  return reply(target, 2, body.finish());
};

const reply = ({ correlation, stream, expected }: BatchTarget, field: 2 | 3, body: Buffer): Buffer => {
  const writer = new ProtoWriter(body.length + stream.length + 80)
    .bytes(1, correlation)
    .bytes(field, body)
    .bytes(4, identifierOf({ stream }));
  if (expected.kind === 'exact') writer.integer(5, expected.revision);
  else writer.empty(EXPECTED_FIELD[expected.kind]);
  return writer.finish();
};

const identifierOf = ({ stream }: Pick<BatchTarget, 'stream'>): Buffer =>
  new ProtoWriter(stream.length + 8).string(3, stream).finish();
