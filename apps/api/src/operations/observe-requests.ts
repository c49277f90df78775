import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Attached, SessionId } from '@app/kernel';
import { contextFrom, logLine, type Metrics, startSpan, within } from '@app/platform';
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { knownPrincipal } from '../http/access.guard.js';
import { SESSION_HEADER } from '../http/endpoint.js';

/** Printable ASCII without blanks, since the caller's ID is logged unchanged. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is valid, otherwise a new ID. */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
};

/** Logs, measures and traces each request. Log lines and spans contain IDs, never content. */
export const observeRequests = (server: FastifyInstance, metrics: Metrics): void => {
  const spans = new Attached<FastifyRequest, Span>();
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const parent = contextFrom(request.headers);
    const attributes = { 'http.request.method': request.method, 'http.route': routeOf(request) };
    spans.set(
      request,
      startSpan(`${request.method} ${routeOf(request)}`, { kind: SpanKind.SERVER, parent, attributes }),
    );
    done();
  });
  // Not earlier: reading the body loses the async context.
  server.addHook('preValidation', (request, _, done) => {
    const span = spans.get(request);
    if (span) within(span, done);
    else done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const labels = { method: request.method, route: routeOf(request), status };
    metrics.requests.observe(labels, reply.elapsedTime / 1_000);
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    logLine('info', { event: 'request', ...factsOf(request, reply), ...traceOf(span) });
    done();
  });
};

const factsOf = (request: FastifyRequest, reply: FastifyReply) => {
  const principal = knownPrincipal(request);
  return {
    request: request.id,
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(principal && {
      tenant: principal.tenant,
      actor: principal.actor,
      session: sessionIn(request) ?? reply.getHeader(SESSION_HEADER),
    }),
  };
};

const traceOf = (span: Span | undefined) =>
  span?.isRecording() || (span && span.spanContext().traceFlags > 0)
    ? { trace: span.spanContext().traceId }
    : {};

/** Returns the declared route; the requested path may contain content. */
const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'unmatched';

/** Returns the session of the path if it is a valid ID; anything else is not logged. */
const sessionIn = ({ params }: FastifyRequest): string | undefined => {
  const given: unknown = typeof params === 'object' && params ? Reflect.get(params, 'session') : undefined;
  try {
    return typeof given === 'string' ? SessionId(given) : undefined;
  } catch {
    return undefined;
  }
};
