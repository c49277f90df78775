import type { EventStoreDBClient } from '@eventstore/db-client';
import { type Client, connectivityState, Metadata, status } from '@grpc/grpc-js';
import { type Call, internalsOf } from './internals.js';

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
