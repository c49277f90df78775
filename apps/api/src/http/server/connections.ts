import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isShallow } from '@app/formats';
import { HUGE_NUMBER, hasFiniteNumbers, isJsonObject, type Json, LIMITS } from '@app/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Bodies } from '../entry/bodies.js';
import { InvalidRequest } from '../problems.js';

/**
 * Returns a function that shuts the server down gracefully: it accepts no new request, waits for running ones, and closes
 * each connection after its answer. Incomplete bodies are cut after a pause of one second, all connections after `stopMs`.
 */
export const gracefulClose = (
  app: NestFastifyApplication,
  bodies: Bodies,
  stopMs: number,
): (() => Promise<void>) => {
  const server = app.getHttpAdapter().getInstance();
  let isClosing = false;
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done();
  });
  // Answers that were already streaming have no `connection: close`.
  server.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => server.server.closeIdleConnections());
    done();
  });
  return async () => {
    isClosing = true;
    bodies.shortenPauses();
    const late = setTimeout(() => server.server.closeAllConnections(), stopMs);
    try {
      await app.close();
    } finally {
      clearTimeout(late);
    }
  };
};

/**
 * Tracks connections without a request, so that a closing server can destroy them. Clients open connections in advance, and
 * Node considers them busy: `close` would wait for them.
 */
export const unusedConnections = (server: Server): { close(): void } => {
  const unused = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    unused.add(socket);
    socket.on('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return {
    close: () => {
      isClosing = true;
      for (const socket of unused) socket.destroy();
    },
  };
};

/** Rejects JSON bodies that are nested too deep or have a number that JSON cannot represent, before they are validated. */
export const refuseUnusableBodies = (app: NestFastifyApplication): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preValidation', (request, _, done) => {
      const { body } = request;
      const problem = isDocument(body) ? faultOf(body) : undefined;
      done(
        problem === undefined ? undefined : new InvalidRequest([{ at: 'body', problem: `it ${problem}` }]),
      );
    });
};

const faultOf = (body: Json): string | undefined => {
  if (!isShallow(body)) return `is nested deeper than ${LIMITS.depth.max} levels`;
  return hasFiniteNumbers(body) ? undefined : HUGE_NUMBER;
};

/** Whether a body is parsed JSON, not a stream. */
const isDocument = (body: unknown): body is Json =>
  Array.isArray(body) || (isJsonObject(body) && !(Symbol.asyncIterator in body));
