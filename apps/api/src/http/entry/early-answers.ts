import type { FastifyInstance, FastifyRequest } from 'fastify';
import { declaredBytes, hasBody } from './bodies.js';

/** Bytes up to which the rest of a body is discarded, so that the connection stays open. */
const PASSED_OVER_MAX = 65_536;
/** Milliseconds that a client may continue to send after the answer, which it has read by then. */
const LINGER_MS = 1_000;

/**
 * Sends answers before the body has arrived: such an answer has `Connection: close`, and the connection is cut
 * {@link LINGER_MS} later.
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

/** Keeps Node from destroying the connection with the answer, which a client that still sends might not see then. */
const linger = (request: FastifyRequest): void => {
  const { raw } = request;
  raw.read(0); // Node would discard a whole body of which nothing is read.
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
  // Not on the socket, which may serve further requests until then.
  raw.once('close', () => clearTimeout(late));
};
