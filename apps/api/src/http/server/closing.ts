import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Bodies } from '../entry/bodies.js';

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
