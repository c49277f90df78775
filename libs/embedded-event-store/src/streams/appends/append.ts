import { type ServerReadableStream, type sendUnaryData, status } from '@grpc/grpc-js';
import type { Append } from '../../log/appends/append.js';
import type { Store } from '../../store.js';
import type { streams } from '../../wire/definitions.js';
import {
  asFailure,
  GrpcFailure,
  invalidArgument,
  streamDeleted,
  writingStopped,
} from '../../wire/grpc-failure.js';
import { targetStreamOf } from '../../wire/values.js';
import { appendReplies } from './append-replies.js';
import { expectedRevisionOf, Proposals } from './proposals.js';

/** `Append`: options first, then one message per event; the append is complete when the client ends the call. */
export const append = (
  store: Store,
  call: ServerReadableStream<streams.AppendReq, Buffer>,
  answer: sendUnaryData<Buffer>,
): void => {
  const proposals = new Proposals(store.appendSizeMax);
  let target: Pick<Append, 'stream' | 'expected'> | undefined;
  let over = false;
  const end = (failure: GrpcFailure | null, reply?: Buffer): void => {
    if (over) return;
    over = true;
    forget();
    answer(failure, reply);
  };
  const fail = (fault: unknown): void => end(asFailure(fault));
  const forget = store.calls.whenStopping(() => fail(writingStopped()));

  call.on('data', (request: streams.AppendReq) => {
    if (over) return;
    try {
      const message = request.getProposedMessage();
      if (!target) {
        target = targetOf(request.getOptions());
        store.access.demand(call, 'write', target.stream);
      } else if (message) proposals.add(message);
      else throw invalidArgument('after the options an append may contain events only');
    } catch (fault) {
      fail(fault);
    }
  });
  call.on('cancelled', () => {
    over = true; // Discards an incomplete append.
    forget();
  });
  call.on('end', () => {
    if (over) return;
    if (!target) return fail(invalidArgument('an append needs options'));
    const { stream, expected } = target;
    store.log.append({ stream, expected, events: proposals.events }).then((outcome) => {
      if (outcome.kind === 'timeout') fail(timedOut());
      else if (outcome.kind === 'deleted') fail(streamDeleted(stream));
      else if (outcome.kind === 'conflict') end(null, appendReplies.conflict(outcome.last, expected));
      else end(null, appendReplies.success(outcome.last, outcome.position));
    }, fail);
  });
};

const targetOf = (options: streams.AppendReq.Options | undefined): Pick<Append, 'stream' | 'expected'> => {
  if (!options) throw invalidArgument('the first message of an append must be its options');
  const expected = expectedRevisionOf(options, options.hasRevision() ? options.getRevision() : undefined);
  if (!expected) throw invalidArgument('an append needs an expected revision');
  return { stream: targetStreamOf(options.getStreamIdentifier()), expected };
};

const timedOut = (): GrpcFailure =>
  new GrpcFailure(status.ABORTED, 'the deadline of the append has passed: send it again');
