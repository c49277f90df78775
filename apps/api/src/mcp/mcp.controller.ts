import { Readable } from 'node:stream';
import { jsonObject } from '@app/contract';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ContentReads } from '../http/content/content-reads.js';
import { BusController } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { sessionId } from '../sessions/shapes.js';
import { sourceOf } from './request-source.js';

const headers = z.object({
  'x-palimpsest-session': sessionId.exactOptional().describe('Default session of tool calls'),
});
const common = { jsonrpc: z.literal('2.0'), id: z.union([z.string().max(200), z.int()]).exactOptional() };
const message = z
  .strictObject({ ...common, method: z.string().min(1).max(200), params: jsonObject.exactOptional() })
  .meta({
    id: 'McpMessage',
    description: 'A JSON-RPC request or notification of the Model Context Protocol',
  });
const response = z
  .looseObject({ ...common, result: jsonObject.exactOptional(), error: jsonObject.exactOptional() })
  .meta({
    id: 'McpAnswer',
    description: 'Its JSON-RPC response; to a notification the status is 202 without one',
  });

/** `POST /mcp` */
@Controller()
export class McpController extends BusController {
  @Inject(ContentReads) private readonly reads!: ContentReads;

  @Endpoint('POST', 'mcp', {
    id: 'callMcp',
    summary:
      'Answers a message of the Model Context Protocol (Streamable HTTP, without sessions of the transport).',
    roles: READERS,
    content: 'streamed',
    isRead: true,
    headers,
    body: message,
    response,
    alsoStatus: 202,
    produces: ['application/json', 'text/event-stream'],
  })
  async answer(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body(valid(message)) body: z.output<typeof message>,
  ): Promise<void> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { queries, reads } = this;
    const { readModels } = this.engine;
    const source = sourceOf(request, { method: 'POST', path: 'mcp' }, { queries, readModels, reads });
    const { answerMcp } = await import('@app/mcp'); // Its SDK is loaded by the first request.
    const answer = await answerMcp(source, webRequest(request, gone.signal), body);
    void reply.status(answer.status).headers(Object.fromEntries(answer.headers));
    await reply.send(answer.body ? Readable.fromWeb(answer.body) : undefined);
  }
}

const webRequest = (request: FastifyRequest, signal: AbortSignal): Request =>
  new Request(`http://${request.host}${request.url}`, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
      accept: 'application/json, text/event-stream', // Every client of the protocol takes both.
    },
    signal,
  });

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
