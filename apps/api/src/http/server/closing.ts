import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Bodies } from '../entry/bodies.js';

/**
 * Ends in good order: takes no new request, waits for those under way, and lets go of each connection with its answer,
 * which would stay open for a next request otherwise. Half-sent bodies are cut after a second, and every connection that is
 * still open after `stopMs`.
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
  // What had begun to stream before could not be told any more.
  server.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => server.server.closeIdleConnections());
    done();
  });
  return async () => {
    isClosing = true;
    bodies.hurry();
    const late = setTimeout(() => server.server.closeAllConnections(), stopMs);
    try {
      await app.close();
    } finally {
      clearTimeout(late);
    }
  };
};
