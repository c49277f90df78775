import type { EventStoreDBClient } from '@eventstore/db-client';
import { convertToCommandError, isClientCancellationError } from '@eventstore/db-client/dist/utils/index.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { internalsOf } from '../wire/internals.js';
import { ReadAnswer } from '../wire/read-answer.js';
import { Feed } from './feed.js';

const { Options } = messages.ReadReq;
const { path, requestSerialize } = services.StreamsService.read;

/** Checkpoint interval of subscriptions, in windows of 32 filtered events. */
const CHECKPOINT_INTERVAL = 16;

export type ReadOfAll = {
  /** Inclusive in a read, exclusive in a subscription. */
  readonly from: 'start' | bigint;
  /** Prefixes of the names of the wanted streams. */
  readonly prefixes: string[];
  /** Events that pass the filter, at most; `subscribe` for all of them, then live. */
  readonly count: number | 'subscribe';
};

/**
 * Reads $all forwards through a filter, and yields the available answers together, in the order of the server. The protocol
 * knows filtered reads, and so do EventStoreDB from version 20 on and the embedded event store; version 6.2.1 of the client,
 * the last one, asks for them in subscriptions alone, whose checkpoints overtake events.
 *
 * @throws errors of the client.
 */
export async function* readAll(
  client: EventStoreDBClient,
  read: ReadOfAll,
  signal?: AbortSignal,
): AsyncGenerator<readonly ReadAnswer[]> {
  const request = requestFor(read);
  const { GRPCStreamCreator: create, callArguments } = internalsOf(client);
  const open = create(services.StreamsClient, 'readAll', (stub) =>
    stub.makeServerStreamRequest(
      path,
      requestSerialize,
      answerIn,
      request,
      ...callArguments.call(client, {}, { deadline: Number.POSITIVE_INFINITY }),
    ),
  );
  try {
    const call = await open();
    // Source: https://github.com/grpc/grpc-node/issues/1652
    const cancel = async () => void setImmediate(() => call.cancel());
    yield* new Feed<ReadAnswer>(call, cancel, signal).batches();
  } catch (error) {
    if (!isClientCancellationError(error))
      throw error instanceof Error ? convertToCommandError(error) : error;
  }
}

const answerIn = (bytes: Buffer): ReadAnswer => new ReadAnswer(bytes);

const requestFor = ({ from, prefixes, count }: ReadOfAll): messages.ReadReq => {
  const all = new Options.AllOptions();
  if (from === 'start') all.setStart(new shared.Empty());
  else {
    const place = new Options.Position();
    place.setCommitPosition(`${from}`);
    place.setPreparePosition(`${from}`);
    all.setPosition(place);
  }
  const expression = new Options.FilterOptions.Expression();
  expression.setPrefixList(prefixes);
  const filter = new Options.FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setCount(new shared.Empty());
  filter.setCheckpointintervalmultiplier(count === 'subscribe' ? CHECKPOINT_INTERVAL : 1);
  const uuids = new Options.UUIDOption();
  uuids.setString(new shared.Empty());
  const options = new Options();
  options.setAll(all);
  if (count === 'subscribe') options.setSubscription(new Options.SubscriptionOptions());
  else options.setCount(`${count}`);
  options.setFilter(filter);
  options.setUuidOption(uuids);
  options.setReadDirection(Options.ReadDirection.FORWARDS);
  const request = new messages.ReadReq();
  request.setOptions(options);
  return request;
};
