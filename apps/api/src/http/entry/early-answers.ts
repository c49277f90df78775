import type { FastifyInstance, FastifyRequest } from 'fastify';
import { declaredBytes, hasBody } from './bodies.js';

/** Rests of bodies up to this size are passed over, so that the connection stays open. Bytes. */
const PASSED_OVER_MAX = 65_536;
/** How long a client may go on sending behind an answer: it has read the answer by then. Milliseconds. */
const LINGER_MS = 1_000;

/**
 * Answers requests whose body has not arrived without reading it: the answer goes out at once, says that the connection
 * closes, and a client that goes on sending is cut off after {@link LINGER_MS}.
 */
export const closeBehindEarlyAnswers = (server: FastifyInstance): void => {
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (isUnread(request) && !isSmall(request)) {
      void reply.header('connection', 'close');
      linger(request);
    }
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    if (isUnread(request)) cutLater(request);
    done();
  });
};

const isUnread = (request: FastifyRequest): boolean => hasBody(request) && !request.raw.complete;

const isSmall = (request: FastifyRequest): boolean =>
  (declaredBytes(request) ?? Number.POSITIVE_INFINITY) <= PASSED_OVER_MAX;

/** Node destroys the connection with the answer otherwise, and a client that is still sending may not see the answer. */
const linger = (request: FastifyRequest): void => {
  const { raw } = request;
  raw.read(0); // Node passes over a body that nothing has begun to read, however long it is.
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    cutLater(request);
  };
};

const cutLater = (request: FastifyRequest): void => {
  const { raw } = request;
  const isClosing = !isSmall(request);
  if (!isClosing) raw.resume();
  const late = setTimeout(() => {
    if (isClosing || !raw.complete) raw.socket.destroy();
  }, LINGER_MS);
  // Not on the socket, which may serve any number of requests in the meantime.
  raw.once('close', () => clearTimeout(late));
};
