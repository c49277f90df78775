import { Readable } from 'node:stream';
import { AppError } from '@app/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Types of bodies that are handed on as they come: only an endpoint that reads them so can do anything with them. */
const STREAMED_TYPES = ['application/octet-stream', 'application/x-ndjson'];

/** Lets bodies of these types through unread. */
export const streamBodies = (app: NestFastifyApplication): void => {
  const server = app.getHttpAdapter().getInstance();
  server.addContentTypeParser(STREAMED_TYPES, (_, payload, done) => done(null, payload));
  // What is left of a body that was answered before its end is passed over: the next request stands behind it.
  server.addHook('onResponse', async ({ raw }) => {
    if (!raw.readableEnded) raw.resume();
  });
};

/**
 * The body of a request as it comes; whoever stops in the middle still answers.
 *
 * @throws {AppError} `unknown-format` where it came with another type.
 */
export const bytesOf = ({ body }: FastifyRequest): AsyncIterable<Uint8Array> => {
  if (body instanceof Readable) return body.iterator({ destroyOnReturn: false });
  throw new AppError(
    'unknown-format',
    `send the body as it is, as content-type ${STREAMED_TYPES.join(' or ')}`,
  );
};

/** Lets JSON for the gateway through unread: it is passed on in the very bytes in which it came. */
export const streamGatewayBodies = (app: NestFastifyApplication): void => {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, _, done) => {
    const { headers, routeOptions } = request;
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
    if (isJson && routeOptions.url?.startsWith('/gateway/')) headers['content-type'] = STREAMED_TYPES[0];
    done();
  });
};
