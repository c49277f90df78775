import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Answers `GET /mcp` and `DELETE /mcp` with 405, which tells MCP clients that the transport has neither a stream nor sessions of
 * its own.
 */
export const refuseMcpSessions = (app: NestFastifyApplication): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      handler: (_, reply) => reply.status(405).header('allow', 'POST').send(),
    });
};
