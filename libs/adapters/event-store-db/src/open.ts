import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import type { Clock, EventLog, StoredEvents, Subscriptions, TenantLog } from '@app/ports';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import {
  type CallOptions,
  type Client,
  type ClientReadableStream,
  connectivityState,
  Metadata,
  status,
} from '@grpc/grpc-js';
import type { Stores } from './codec/codec.js';
import { parseSessionEvent, parseTenantEvent } from './codec/schema.js';
import { EventStoreDbLog } from './event-log.js';
import { LogInstallation } from './installation.js';
import { Room } from './room.js';
import { EventStoreDbStoredEvents } from './stored-events.js';
import { EventStoreDbSubscriptions } from './subscriptions.js';
import { Appends } from './wire/appends.js';
import { type Call, internalsOf } from './wire/internals.js';
import { ReadAnswer } from './wire/read-answer.js';

export type OpenEventStore = {
  readonly log: EventLog;
  readonly tenantLog: TenantLog;
  readonly subscriptions: Subscriptions;
  readonly storedEvents: StoredEvents;
  readonly installation: LogInstallation;
  /** Whether the log takes events: not while its disk is full. */
  takesEvents(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Connects to the log. Call once per process: the client keeps pending appends in a process-wide table, so that an
 * error on one connection would fail the appends of every other.
 *
 * @throws {AppError} `invalid-configuration` for an invalid connection string `url`.
 */
export const openEventStore = (url: string, stores: Stores, clock: Clock): OpenEventStore => {
  const client = connect(url);
  const room = new Room(() => client.appendToStream(PROBE_STREAM, jsonEvent({ type: PROBE_TYPE, data: {} })));
  const appends = new Appends(client);
  const reading = withFasterReads(client);
  const log = new EventStoreDbLog(reading, appends, stores, clock, parseSessionEvent, room);
  const tenantLog = new EventStoreDbLog(reading, appends, stores, clock, parseTenantEvent, room);
  return {
    log,
    tenantLog,
    subscriptions: new EventStoreDbSubscriptions(reading, stores),
    storedEvents: new EventStoreDbStoredEvents(reading, stores),
    installation: new LogInstallation(client),
    takesEvents: () => room.takesEvents(),
    close: () => {
      log.close();
      tenantLog.close();
      return disposeOf(client);
    },
  };
};

/** Returns the installation that the log of a server belongs to. @throws {AppError} `event-store-unavailable`. */
export const installationOfLog = async (url: string): Promise<string | undefined> => {
  const client = connect(url);
  try {
    return await new LogInstallation(client).id();
  } finally {
    await disposeOf(client);
  }
};

/** One event in it for each time that the disk was full and has room again. */
const PROBE_STREAM = 'palimpsest_probe';
const PROBE_TYPE = 'RoomFound';

/** Calls that are just being made have no stream yet that could be cancelled: they are in the next turn, or the one after it. */
const disposeOf = async (client: EventStoreDBClient): Promise<void> => {
  for (let turn = 0; turn < DISPOSING_TURNS; turn += 1) {
    await client.dispose();
    await yieldToLoop();
  }
};
const DISPOSING_TURNS = 5;

const connect = (url: string): EventStoreDBClient => {
  try {
    const client = EventStoreDBClient.connectionString(url);
    limitConnecting(client);
    return client;
  } catch (cause) {
    throw new AppError(
      'invalid-configuration',
      'not a connection string of an event store: use esdb://HOST:PORT?tls=false',
      {
        cause,
      },
    );
  }
};

/** Milliseconds that a call waits for a connection. */
const CONNECT_MAX_MS = 10_000;

/**
 * Fails calls that wait too long for a connection, and lets the client connect anew. grpc-js sets no limit to the time between an
 * accepted connection and the server's first answer on it: with a host that hangs, a call would wait for as long as it does.
 * On an established connection a call may take any time, because keepalive ends silent ones.
 */
export const limitConnecting = (client: EventStoreDBClient, connectMaxMs = CONNECT_MAX_MS): void => {
  const internals = internalsOf(client);
  const create = internals.GRPCStreamCreator;
  internals.GRPCStreamCreator = (type, name, make, cache) =>
    create(
      type,
      name,
      async (stub) => {
        const call = await make(stub);
        failUnlessConnected(call, stub, connectMaxMs);
        return call;
      },
      cache,
    );
};

const failUnlessConnected = (call: Call, stub: Client, connectMaxMs: number): void => {
  const timer = setTimeout(() => {
    if (stub.getChannel().getConnectivityState(false) === connectivityState.READY) return;
    const details = `no connection within ${connectMaxMs} ms`;
    call.destroy(
      Object.assign(new Error(details), { code: status.UNAVAILABLE, details, metadata: new Metadata() }),
    );
    call.cancel();
  }, connectMaxMs);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  call.once('metadata', stop).once('close', stop);
};

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
const withFasterReads = (client: EventStoreDBClient): EventStoreDBClient => {
  const { GRPCStreamCreator: create } = internalsOf(client);
  const decoding = (type: unknown, ...how: readonly unknown[]): unknown =>
    Reflect.apply(create, client, [type === StreamsClient ? DecodingStub : type, ...how]);
  return Object.create(client, { GRPCStreamCreator: { value: decoding } });
};
