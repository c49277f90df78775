import { ProtoWriter } from '@app/kernel';
import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import type { ExpectedRevision } from '../log/appends/decide-append.js';
import type { Store } from '../store.js';
import type { shared } from '../wire/definitions.js';
import { asFailure, GrpcFailure, invalidArgument, streamDeleted } from '../wire/grpc-failure.js';
import { targetStreamOf } from '../wire/values.js';
import { expectedRevisionOf } from './appends/proposals.js';

/** The common shape of the requests of Delete and Tombstone. */
export type DeleteRequest = { getOptions(): DeleteOptions | undefined };
type DeleteOptions = {
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
  hasRevision(): boolean;
  getRevision(): string;
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
};

/** Handles `Delete`, and `Tombstone` with `isHardDelete`; responds with the position of the deletion event. */
export const deleteStream = (
  store: Store,
  { isHardDelete }: { readonly isHardDelete: boolean },
  call: ServerUnaryCall<DeleteRequest, Buffer>,
  answer: sendUnaryData<Buffer>,
): void => {
  deleted(store, call, isHardDelete).then(
    (reply) => answer(null, reply),
    (fault) => answer(asFailure(fault)),
  );
};

const deleted = async (
  { log, access }: Store,
  call: ServerUnaryCall<DeleteRequest, Buffer>,
  isHardDelete: boolean,
): Promise<Buffer> => {
  const options = call.request.getOptions();
  if (!options) throw invalidArgument('a deletion needs options');
  const stream = targetStreamOf(options.getStreamIdentifier());
  access.demand(call, 'delete', stream);
  const expected = expectedRevisionOf(options, options.hasRevision() ? options.getRevision() : undefined);
  if (!expected) throw invalidArgument('a deletion needs an expected revision');
  const outcome = await log.delete({ stream, expected, isHardDelete });
  if (outcome.kind === 'deleted') throw streamDeleted(stream);
  if (outcome.kind === 'conflict') throw conflict(stream, expected, outcome.last);
  const position = outcome.kind === 'appended' ? outcome.position : undefined;
  if (position === undefined) return new ProtoWriter().empty(2).finish();
  return new ProtoWriter()
    .bytes(1, new ProtoWriter().integer(1, position).integer(2, position).finish())
    .finish();
};

/** EventStoreDB's text: clients classify errors by it. */
const conflict = (stream: string, expected: ExpectedRevision, last = -1): GrpcFailure => {
  const version = String(expected.kind === 'exact' ? expected.revision : EXPECTED_NUMBER[expected.kind]);
  return new GrpcFailure(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${version}, Actual version: ${last}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': version,
      'actual-version': String(last),
    },
  );
};

/** EventStoreDB's numbers for expectations other than a revision. */
const EXPECTED_NUMBER = { 'no-stream': -1, any: -2, 'stream-exists': -4 } as const;
