import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { AppError, Attached, invariant, jsonChunks, keptJsonText, weightOf } from '@app/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { answerError } from '../problem.filter.js';
import { InvalidRequest, problemOf } from '../problems.js';

/** Bytes from which an answer is serialized in slices; a smaller one takes a millisecond. */
const LARGE_BYTES = 524_288;

/** Sends a text that was written before, and serializes large answers in slices, between which other requests are served. */
export const writeLargeAnswersInSlices = (server: FastifyInstance): void => {
  const written = new Attached<object, readonly Uint8Array[]>();
  server.addHook<unknown>('preSerialization', (request, reply, payload, done) => {
    const text = keptJsonText(payload);
    if (text !== undefined && text.length < LARGE_BYTES) {
      reply.serializer(() => text);
      done(null, payload);
      return;
    }
    if (weightOf(payload, LARGE_BYTES) < LARGE_BYTES) {
      done(null, payload);
      return;
    }
    jsonChunks(payload).then(
      (chunks) => {
        written.set(request, chunks);
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
        reply.header('content-length', bytes).serializer(() => '');
        done(null, payload);
      },
      (error) => done(error),
    );
  });
  server.addHook<unknown>('onSend', (request, _reply, payload, done) => {
    const chunks = written.get(request);
    done(null, chunks ? Readable.from(chunks) : payload);
  });
};

/** Adds helmet's headers to every answer. They are the same for all, so that they are computed once. */
export const sendSecurityHeaders = (http: FastifyInstance): void => {
  const headers = securityHeaders();
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
};

const securityHeaders = (): Readonly<Record<string, string>> => {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => {
      headers.set(name.toLowerCase(), value);
    },
    removeHeader: () => undefined,
  };
  const add = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  // helmet reads nothing of the request, and calls only these two methods of the answer.
  add({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    invariant(error === undefined, 'the headers need no request');
  });
  return Object.fromEntries(headers);
};

/** Answers a request whose path cannot be decoded with problem details. */
export const refusePath = (_error: Error, request: FastifyRequest, reply: FastifyReply): void =>
  answerError(
    new InvalidRequest([{ at: 'path', problem: 'it is not percent-encoded UTF-8: encode each segment' }]),
    request,
    reply,
  );

/**
 * Answers malformed HTTP, and headers that are too large or too late, with problem details. `Connection: close` keeps clients
 * from reusing the connection.
 */
export const refuseConnection = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, refusal] = refusalOf(error.code);
  const body = JSON.stringify({ ...problemOf(refusal), status });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ].join('\r\n');
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`);
  socket.destroySoon();
};

const refusalOf = (code: string | undefined): readonly [status: number, AppError] => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, new AppError('request-timeout', 'the request did not arrive in time: send it again')];
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, wrong('head', 'path and headers exceed 16 KiB in total: send shorter ones')];
  return [400, wrong('head', 'it is not valid HTTP/1.1')];
};

const wrong = (at: string, problem: string): InvalidRequest => new InvalidRequest([{ at, problem }]);
