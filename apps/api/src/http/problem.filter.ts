import { type Wire, wireOf } from '@app/formats';
import { AppError } from '@app/kernel';
import { aboutError, logLine } from '@app/platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitExceeded } from './allowance/rate-limits.js';
import { InvalidRequest, problemOf, retryAfterSecondsOf, statusOf } from './problems.js';

/** Answers errors with problem details. Of a defect, the caller sees only `internal`, and the log names the error class. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Answers a request with problem details; a gateway request with an error in the provider's form. */
export const answerError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const error = asAppError(thrown);
  logFailure(error, thrown);
  const seconds = retryAfterSecondsOf(error.code);
  if (seconds !== undefined && !reply.hasHeader('retry-after')) void reply.header('retry-after', seconds);
  if (error instanceof RateLimitExceeded) void reply.headers(error.headers);
  const wire = wireAt(request);
  if (wire) return void sendAs(wire, error, reply);
  const problem = problemOf(error);
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer realm="palimpsest"');
  void reply.status(problem.status).type('application/problem+json').send(problem);
};

/** Returns an error whose message the caller may see, for protocols that send messages instead of problem details. */
export const publicError = (thrown: unknown): AppError => {
  const error = asAppError(thrown);
  logFailure(error, thrown);
  return new AppError(error.code, problemOf(error).detail, { cause: thrown });
};

const logFailure = (error: AppError, thrown: unknown): void => {
  if (statusOf(error.code) >= 500 && error.code !== 'erasure-in-progress')
    logLine('error', { event: 'request-failed', ...aboutError(thrown) });
};

const asAppError = (thrown: unknown): AppError => {
  if (thrown instanceof AppError) return thrown;
  const status = statusIn(thrown);
  if (status === 404) return new AppError('route-not-found', 'unknown route: see /docs for all routes');
  if (status === 413)
    return new AppError('append-too-large', 'the body is too large: send it in several parts');
  if (status === 415)
    return new AppError('unknown-format', 'the content type is not supported: send application/json');
  if (status !== undefined && status < 500) {
    return new InvalidRequest([{ at: 'body', problem: 'it is not valid JSON' }]);
  }
  return new AppError('internal', 'Palimpsest has a defect: report it with the X-Request-Id of this answer', {
    cause: thrown,
  });
};

/** Returns the status of an error from Nest or Fastify. Its message is not used, since it may quote the request. */
const statusIn = (thrown: unknown): number | undefined => {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
};

/** Returns the provider in whose form an error is answered; `undefined` outside the gateway. */
const wireAt = ({ url }: FastifyRequest): Wire | undefined => {
  if (url.startsWith('/gateway/anthropic/')) return wireOf('anthropic');
  return url.startsWith('/gateway/') ? wireOf('openai-chat') : undefined;
};

const sendAs = (wire: Wire, error: AppError, reply: FastifyReply): void => {
  const { code, status, detail } = problemOf(error);
  const isOpenAi = wire.name !== 'anthropic';
  const failure = {
    status,
    message: `Palimpsest: ${detail}`,
    ...(isOpenAi && { code: code === 'rate-limited' ? 'rate_limit_exceeded' : code }),
  };
  void reply.status(status).type('application/json').send(wire.error(failure));
};
