import { AppError } from '@app/kernel';
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  logVerbosity,
  Server,
  ServerCredentials,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { supportedMethods } from '../features/supported-methods.js';
import { persistentHandlers } from '../persistent/calls/handlers.js';
import type { Store } from '../store.js';
import { append } from '../streams/appending/append.js';
import { batchAppend } from '../streams/appending/batch-append.js';
import { read } from '../streams/reading/read.js';
import {
  featuresService,
  persistentService,
  type shared,
  type streams,
  streamsService,
  unbuiltServices,
} from '../wire/definitions.js';
import { notBuilt } from '../wire/grpc-failure.js';
import { pipelined } from '../wire/pipelined-call.js';

/** A fragment of a client holds one event at least, so that it must not be smaller than the largest event. */
const MESSAGE_BYTES_MIN = 32 * 2 ** 20;
/** Room for the protocol around an event's own bytes. */
const ENVELOPE_FACTOR = 2;

/** Loopback only: without TLS there is no authentication. */
const HOST = '127.0.0.1';

/**
 * Serves `store` on `port`, 0 for any that is free; returns the server and its port.
 *
 * @throws {AppError} `port-in-use`, `internal`.
 */
export const serve = async (store: Store, port: number): Promise<{ server: Server; port: number }> => {
  setLogVerbosity(logVerbosity.NONE); // What goes wrong is told by errors; the library's lines would come on top.
  const server = new Server({
    'grpc.max_receive_message_length': Math.max(MESSAGE_BYTES_MIN, store.appendSizeMax * ENVELOPE_FACTOR),
    'grpc.max_send_message_length': -1,
    interceptors: [pipelined],
  });
  server.addService(streamsService, streamHandlers(store));
  server.addService(persistentService, persistentHandlers(store));
  server.addService(featuresService, featureHandlers);
  for (const service of unbuiltServices) server.addService(service, refusals(service));
  return { server, port: await bind(server, port) };
};

type StreamHandlers = {
  read: handleServerStreamingCall<streams.ReadReq, Buffer>;
  append: handleClientStreamingCall<streams.AppendReq, Buffer>;
  batchAppend: handleBidiStreamingCall<streams.BatchAppendReq, Buffer>;
};
const streamHandlers = (store: Store): StreamHandlers => ({
  read: (call) => void read(store, call),
  append: (call, answer) => append(store, call, answer),
  batchAppend: (call) => batchAppend(store, call),
});

const featureHandlers: { getSupportedMethods: handleUnaryCall<shared.Empty, Buffer> } = {
  getSupportedMethods: (_call, answer) => answer(null, supportedMethods()),
};

const refusals = (
  service: Readonly<Record<string, { readonly path: string }>>,
): UntypedServiceImplementation =>
  Object.fromEntries(
    Object.entries(service).map(([name, { path }]) => [
      name,
      (call: NodeJS.EventEmitter, answer?: (failure: Error) => void) =>
        answer ? answer(notBuilt(path)) : void call.emit('error', notBuilt(path)),
    ]),
  );

const bind = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`${HOST}:${port}`, ServerCredentials.createInsecure(), (fault, bound) => {
      if (!fault) return resolve(bound);
      const taken = /EADDRINUSE|address already in use|No address added/i.test(fault.message);
      const message = taken
        ? `port ${port} is in use by another program: choose another one, or 0 for any that is free`
        : `cannot listen on port ${port}: ${fault.message}`;
      reject(new AppError(taken ? 'port-in-use' : 'internal', message, { cause: fault }));
    });
  });
