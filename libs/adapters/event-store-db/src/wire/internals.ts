import { AppError } from '@app/kernel';
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Client, ClientReadableStream, Metadata } from '@grpc/grpc-js';

export type Call = Pick<ClientReadableStream<unknown>, 'cancel' | 'destroy' | 'once'>;
type StubType<Stub extends Client> = new (...parts: ConstructorParameters<typeof Client>) => Stub;

/** Internals of the client, version 6.2.1, its last one: only they know how to connect, authenticate and reconnect. */
export type Internals = {
  /** Returns a function that makes a call on the current connection; with `cache`, one call for each connection. */
  GRPCStreamCreator<Stub extends Client, Made extends Call>(
    type: StubType<Stub>,
    name: string,
    make: (stub: Stub) => Made | Promise<Made>,
    cache?: WeakMap<Stub, Promise<Made>>,
  ): () => Promise<Made>;
  callArguments(options: object, callOptions?: CallOptions): [Metadata, CallOptions];
};

/** @throws {AppError} `internal` for another version of the client. */
export const internalsOf = (client: EventStoreDBClient): Internals => {
  const internals: object = client;
  if (hasInternals(internals)) return internals;
  throw new AppError('internal', 'this version of @eventstore/db-client is not supported: install 6.2.1');
};

const NAMES = ['GRPCStreamCreator', 'callArguments'] as const satisfies (keyof Internals)[];

const hasInternals = (client: object): client is Internals =>
  NAMES.every((name) => typeof Reflect.get(client, name) === 'function');
