import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Ends in good order: takes no new request, waits for those under way however long they are, and lets go of each connection
 * with its answer, which would stay open for a next request otherwise.
 */
export const gracefulClose = (app: NestFastifyApplication): (() => Promise<void>) => {
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
  return () => {
    isClosing = true;
    return app.close();
  };
};
