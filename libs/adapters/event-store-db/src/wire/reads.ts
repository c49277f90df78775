import type { EventStoreDBClient } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type CallOptions, type ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { internalsOf } from './internals.js';
import { ReadAnswer } from './read-answer.js';

const { StreamsClient, StreamsService } = streamsGrpc;
const { path, requestSerialize } = StreamsService.read;

/** The client calls no other members of an answer than those of {@link ReadAnswer}: its contract suite and properties hold that. */
const decode = (bytes: Buffer): ReadResp => new ReadAnswer(bytes) as unknown as ReadResp;

/** The generated stub, with answers of reads decoded by this module. */
class DecodingStub extends StreamsClient {
  override read(
    request: ReadReq,
    metadata?: Metadata | Partial<CallOptions>,
    options?: Partial<CallOptions>,
  ): ClientReadableStream<ReadResp> {
    const [about, how] = metadata instanceof Metadata ? [metadata, options] : [new Metadata(), metadata];
    return this.makeServerStreamRequest(path, requestSerialize, decode, request, about, how);
  }
}

/**
 * Returns the client with faster reads and catch-up subscriptions. Connections, credentials and other calls are those of `client`,
 * which is closed instead of it.
 */
export const withFasterReads = (client: EventStoreDBClient): EventStoreDBClient => {
  const { GRPCStreamCreator: create } = internalsOf(client);
  const decoding = (type: unknown, ...how: readonly unknown[]): unknown =>
    Reflect.apply(create, client, [type === StreamsClient ? DecodingStub : type, ...how]);
  return Object.create(client, { GRPCStreamCreator: { value: decoding } });
};
