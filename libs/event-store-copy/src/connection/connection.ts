import { AppError } from '@app/kernel';
import { EventStoreDBClient } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

const { StreamsClient } = streamsGrpc;
export type StreamsStub = InstanceType<typeof StreamsClient>;

/** Internals of the client, version 6.2.1, its last one: only they know how to connect and authenticate. */
type Internals = {
  execute<Result>(
    type: typeof StreamsClient,
    name: string,
    action: (stub: StreamsStub) => Promise<Result>,
  ): Promise<Result>;
  callArguments(options: object, callOptions?: CallOptions): [Metadata, CallOptions];
};

/**
 * A connection through the unmodified client. The client's reads and appends convert events to JSON values, which
 * changes bytes; so this class makes raw calls over the client's connection, with its credentials.
 */
export class Connection {
  private constructor(
    readonly name: string,
    readonly client: EventStoreDBClient,
    private readonly internals: Internals,
  ) {}

  /** `name` is for messages: the address may contain a password. @throws {AppError} `invalid-configuration`. */
  static open(name: string, url: string): Connection {
    try {
      const client = EventStoreDBClient.connectionString(url);
      const internals: object = client;
      if (!hasInternals(internals)) throw new Error('another version of the client');
      return new Connection(name, client, internals);
    } catch (cause) {
      throw new AppError(
        'invalid-configuration',
        `the address of the ${name} is invalid: use esdb://USER:PASSWORD@HOST:PORT?tlsCAFile=FILE, or ?tls=false`,
        { cause },
      );
    }
  }

  /** Makes a call without a deadline. */
  call<Result>(
    make: (stub: StreamsStub, metadata: Metadata, options: CallOptions) => Result,
  ): Promise<Result> {
    const [metadata, options] = this.internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY });
    return this.internals.execute(StreamsClient, 'copy', async (stub) => make(stub, metadata, options));
  }

  close(): Promise<void> {
    return this.client.dispose();
  }
}

const hasInternals = (client: object): client is Internals =>
  'execute' in client &&
  typeof client.execute === 'function' &&
  'callArguments' in client &&
  typeof client.callArguments === 'function';
