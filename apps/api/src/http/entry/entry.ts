import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '@app/kernel';
import type { Access } from '@app/ports';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admit, principalOf, whenKeyEnds } from '../access.guard.js';
import { type Allowance, headersOf, RateLimitExceeded } from '../allowance/rate-limits.js';
import type { Turns } from '../allowance/turns.js';
import type { SessionCookies } from '../browser/session-cookies.js';
import type { EndpointFacts } from '../endpoint.js';
import {
  ANY_TYPE,
  type Bodies,
  declaredBytes,
  hasBody,
  onContinue,
  readWith,
  STREAMED_TYPES,
} from './bodies.js';
import { documentIn } from './json-document.js';

type EntryParts = {
  readonly access: Access;
  readonly cookies: SessionCookies;
  readonly allowance: Allowance;
  readonly bodies: Bodies;
  readonly turns: Turns;
};

/**
 * Admits each request by its headers before any of the body is read: key, role, permission, rate limits and memory for the
 * body.
 */
export const guardEntry = (app: NestFastifyApplication, parts: EntryParts): void => {
  const server = app.getHttpAdapter().getInstance();
  closeBehindEarlyAnswers(server);
  const methods = new KnownMethods(server);
  // After all `onRequest` hooks, so that errors have the common headers, and before the body is parsed.
  server.addHook('preParsing', async (request, reply, payload) => {
    methods.refuse(request, reply);
    await admitRequest(request, reply, parts);
    return payload;
  });
  takeBodies(server, parts);
  cutWithKeys(server);
  continueWhereRead(server);
};

const admitRequest = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: EntryParts,
): Promise<void> => {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint && hasBody(request))
    throw new AppError('route-not-found', 'unknown route: see /docs for all routes');
  if (!endpoint) return;
  readWith(request, parts.bodies);
  if (endpoint.roles === 'public') return;
  await admit(parts, request, endpoint);
  await countRequest(request, reply, endpoint, parts.allowance);
  await parts.turns.begin(principalOf(request).tenant, reply.raw);
  parts.bodies.reserve(request, reply);
};

/** Counts a request, and the bytes that it appends if it declares their number. @throws {RateLimitExceeded} */
const countRequest = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { appends }: EndpointFacts,
  allowance: Allowance,
): Promise<void> => {
  const bytes = appends ? (declaredBytes(request) ?? 0) : 0;
  const verdict = await allowance.takeRequest(principalOf(request).tenant, bytes);
  if (verdict.exceeded !== undefined) throw new RateLimitExceeded(verdict, verdict.exceeded);
  void reply.headers(headersOf(verdict.state));
};

/** Parses JSON bodies and leaves streamed ones to their handler; other media types are rejected. */
const takeBodies = (server: FastifyInstance, { allowance, bodies }: EntryParts): void => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(STREAMED_TYPES, (_, payload, done) => done(null, payload));
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await bodies.whole(request, payload);
    // A chunked body does not declare its length, so its bytes are counted here.
    if (request.routeOptions.config.endpoint?.appends && declaredBytes(request) === undefined) {
      const verdict = await allowance.takeBytes(principalOf(request).tenant, bytes.length);
      if (verdict.exceeded !== undefined) throw new RateLimitExceeded(verdict, verdict.exceeded);
    }
    return documentIn(bytes);
  });
  // Gateway requests are not parsed here: their handler reads the bytes, as does one that takes any type.
  server.addHook('onRequest', (request, _, done) => {
    const { headers, routeOptions } = request;
    const takesAny = routeOptions.config.endpoint?.consumes?.includes(ANY_TYPE);
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
    if (takesAny || (isJson && routeOptions.config.endpoint?.provider))
      headers['content-type'] = STREAMED_TYPES[0];
    done();
  });
};

/** Answers `Expect: 100-continue` once the request is admitted. */
const continueWhereRead = (server: FastifyInstance): void => {
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    onContinue(request, () => response.writeContinue());
    server.server.emit('request', request, response);
  });
};

/** Cuts the connection of an export whose key is revoked or expires, so that the client sees a truncated answer. */
const cutWithKeys = (server: FastifyInstance): void => {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (payload instanceof Readable)
      whenKeyEnds(request, reply.raw, () => {
        payload.destroy();
        reply.raw.destroy();
      });
    done();
  });
};

/** Bytes up to which the rest of a body is discarded, so that the connection stays open. */
const PASSED_OVER_MAX = 65_536;
/** Milliseconds that a client may continue to send after the answer, which it has read by then. */
const LINGER_MS = 1_000;

/**
 * Sends answers before the body has arrived: such an answer has `Connection: close`, and the connection is cut
 * {@link LINGER_MS} later.
 */
const closeBehindEarlyAnswers = (server: FastifyInstance): void => {
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (isUnread(request) && !isSmall(request)) {
      void reply.header('connection', 'close');
      linger(request);
    }
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    if (isUnread(request)) cutLater(request);
    done();
  });
};

const isUnread = (request: FastifyRequest): boolean => hasBody(request) && !request.raw.complete;

const isSmall = (request: FastifyRequest): boolean =>
  (declaredBytes(request) ?? Number.POSITIVE_INFINITY) <= PASSED_OVER_MAX;

/** Keeps Node from destroying the connection with the answer, which a client that still sends might not see then. */
const linger = (request: FastifyRequest): void => {
  const { raw } = request;
  raw.read(0); // Node would discard a whole body of which nothing is read.
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    cutLater(request);
  };
};

const cutLater = (request: FastifyRequest): void => {
  const { raw } = request;
  const isClosing = !isSmall(request);
  if (!isClosing) raw.resume();
  const late = setTimeout(() => {
    if (isClosing || !raw.complete) raw.socket.destroy();
  }, LINGER_MS);
  // Not on the socket, which may serve further requests until then.
  raw.once('close', () => clearTimeout(late));
};

/** Refuses requests whose path has routes for other methods only. */
class KnownMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  /** Collects the endpoints that are registered on `server` from now on. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method, config }) => {
      if (config?.endpoint) this.#routes.push({ pattern: patternOf(url), methods: [method].flat() });
    });
  }

  /** @throws {AppError} `method-not-allowed`; the answer names the valid methods in `Allow`. */
  refuse({ url, method, is404 }: FastifyRequest, reply: FastifyReply): void {
    if (!is404) return;
    const [path = ''] = url.split('?', 1);
    const found = this.#routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (found.length === 0) return;
    const allowed = [...new Set(found)].sort().join(', ');
    void reply.header('allow', allowed);
    throw new AppError('method-not-allowed', `this path has no ${method}: use ${allowed}`);
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^$()[\]{}|\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );
