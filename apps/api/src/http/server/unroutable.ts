import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@app/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '../problem.filter.js';
import { InvalidRequest, problemOf } from '../problems.js';

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
