import { type AllStreamResolvedEvent, EventStoreDBClient, type StreamingRead } from '@eventstore/db-client';
import readStream from '@eventstore/db-client/dist/streams/utils/ReadStream.js';
import conversion from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';

const { Options } = messages.ReadReq;

export type FilteredRead = {
  /** Inclusive. */
  readonly from: 'start' | bigint;
  /** Prefixes of the names of the wanted streams. */
  readonly prefixes: string[];
  /** Events that pass the filter, at most. */
  readonly count: number;
};

/** Uses the client's own read methods, which are accessible to subclasses. */
class FilteringClient extends EventStoreDBClient {
  readAllFiltered({ from, prefixes, count }: FilteredRead): StreamingRead<AllStreamResolvedEvent> {
    const request = requestFor({ from, prefixes, count });
    const open = this.GRPCStreamCreator(services.StreamsClient, 'readAllFiltered', (client) =>
      client.read(request, ...this.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    );
    return new readStream.ReadStream<AllStreamResolvedEvent>(open, conversion.convertGrpcEvent, {});
  }
}

/**
 * Reads $all forwards through a filter. The protocol knows such reads, and so do EventStoreDB from version 20 on and the
 * embedded event store; version 6.2.1 of the client, the last one, asks for them in subscriptions alone, which never end.
 */
export const readAllFiltered = (
  client: EventStoreDBClient,
  read: FilteredRead,
): StreamingRead<AllStreamResolvedEvent> => FilteringClient.prototype.readAllFiltered.call(client, read);

const requestFor = ({ from, prefixes, count }: FilteredRead): messages.ReadReq => {
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
  filter.setCheckpointintervalmultiplier(1);
  const uuids = new Options.UUIDOption();
  uuids.setString(new shared.Empty());
  const options = new Options();
  options.setAll(all);
  options.setCount(`${count}`);
  options.setFilter(filter);
  options.setUuidOption(uuids);
  options.setReadDirection(Options.ReadDirection.FORWARDS);
  const request = new messages.ReadReq();
  request.setOptions(options);
  return request;
};
