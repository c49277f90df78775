import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@app/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '../problem.filter.js';
import { InvalidRequest, problemOf } from '../problems.js';

/** Answers a request whose path cannot be decoded, in the form that every refusal has. */
export const refusePath = (_error: Error, request: FastifyRequest, reply: FastifyReply): void =>
  answerError(
    new InvalidRequest([{ at: 'path', problem: 'it is not percent-encoded UTF-8: encode each segment' }]),
    request,
    reply,
  );

/**
 * Answers bytes that are no HTTP request, or a head that is too large or too late, with problem details. The answer says that
 * the connection closes: a client that keeps connections sends no next request on it.
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
    return [431, wrong('head', 'its path and headers are larger than 16 KiB together: send less in them')];
  return [400, wrong('head', 'it is no HTTP/1.1')];
};

const wrong = (at: string, problem: string): InvalidRequest => new InvalidRequest([{ at, problem }]);
