import { logVerbosity, Server, type ServerInterceptor, setLogVerbosity } from '@grpc/grpc-js';
import { supportedMethods } from '../features/supported-methods.js';
import { type Endpoint, gossipHandlers } from '../gossip/gossip.js';
import { persistentHandlers } from '../persistent/calls/handlers.js';
import { projectionHandlers } from '../projections/handlers.js';
import { usersHandlers } from '../security/users/handlers.js';
import type { Users } from '../security/users/users.js';
import type { Store } from '../store.js';
import { append } from '../streams/appends/append.js';
import { batchAppend } from '../streams/appends/batch-append.js';
import { deleteStream } from '../streams/delete.js';
import { read } from '../streams/reads/read.js';
import {
  featuresService,
  gossipService,
  type HandlersOf,
  persistentService,
  projectionsService,
  streamsService,
  usersService,
} from '../wire/definitions.js';
import { pipelined } from '../wire/pipelined-call.js';

/** A client's batch fragment contains at least one event, so this must not be smaller than the largest event. */
const MESSAGE_BYTES_MIN = 32 * 2 ** 20;
/**
 * The server closes the connection of a client that does not answer a ping within this time, and redelivers its
 * events. EventStoreDB's defaults for `KeepAliveInterval` and `KeepAliveTimeout`.
 */
const KEEP_ALIVE_MS = 10_000;
/** Room for the protocol overhead of an event. */
const ENVELOPE_FACTOR = 2;

export type ServerParts = {
  readonly store: Store;
  readonly users: Users;
  readonly endpoint: () => Endpoint;
  /** Interceptors of every call, outermost first. */
  readonly interceptors: readonly ServerInterceptor[];
};

/** Creates the server with all its services, not listening yet. */
export const createServer = ({ store, users, endpoint, interceptors }: ServerParts): Server => {
  setLogVerbosity(logVerbosity.NONE); // Failures are reported as errors already.
  const server = new Server({
    'grpc.max_receive_message_length': Math.max(MESSAGE_BYTES_MIN, store.appendSizeMax * ENVELOPE_FACTOR),
    'grpc.max_send_message_length': -1,
    'grpc.keepalive_time_ms': KEEP_ALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEP_ALIVE_MS,
    interceptors: [pipelined, ...interceptors],
  });
  server.addService(streamsService, streamHandlers(store));
  server.addService(persistentService, persistentHandlers(store));
  server.addService(projectionsService, projectionHandlers(store));
  server.addService(featuresService, featureHandlers);
  server.addService(gossipService, gossipHandlers(endpoint));
  server.addService(usersService, usersHandlers(users, store.access));
  return server;
};

const streamHandlers = (store: Store): HandlersOf<typeof streamsService> => ({
  read: (call) => void read(store, call),
  append: (call, answer) => append(store, call, answer),
  batchAppend: (call) => batchAppend(store, call),
  delete: (call, answer) => deleteStream(store, { isHardDelete: false }, call, answer),
  tombstone: (call, answer) => deleteStream(store, { isHardDelete: true }, call, answer),
});

const featureHandlers: HandlersOf<typeof featuresService> = {
  getSupportedMethods: (_call, answer) => answer(null, supportedMethods()),
};
