import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '@app/kernel';
import type { Access } from '@app/ports';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admit, principalOf, whenKeyEnds } from '../access.guard.js';
import { type Allowance, headersOf } from '../allowance/allowance.js';
import { LimitMet } from '../allowance/limit-met.js';
import type { EndpointFacts } from '../endpoint.js';
import { type Bodies, continueWith, declaredBytes, hasBody, readWith, STREAMED_TYPES } from './bodies.js';
import { closeBehindEarlyAnswers } from './early-answers.js';
import { documentIn } from './json-document.js';

export type EntryParts = {
  readonly access: Access;
  readonly allowance: Allowance;
  readonly bodies: Bodies;
};

/**
 * Decides on every request by its head: key, role, permission, limits of the tenant, room for the body. Only then is any of
 * the body read.
 */
export const guardEntry = (app: NestFastifyApplication, parts: EntryParts): void => {
  const server = app.getHttpAdapter().getInstance();
  closeBehindEarlyAnswers(server);
  // Behind all hooks `onRequest`, so that refusals have the headers of every answer, and before the body is touched.
  server.addHook('preParsing', async (request, reply, payload) => {
    await enter(request, reply, parts);
    return payload;
  });
  takeBodies(server, parts);
  cutWithKeys(server);
  continueWhereRead(server);
};

const enter = async (request: FastifyRequest, reply: FastifyReply, parts: EntryParts): Promise<void> => {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint && hasBody(request))
    throw new AppError('route-not-found', 'there is no such route: see /docs');
  if (!endpoint || endpoint.roles === 'public') return;
  await admit(parts.access, request, endpoint);
  await spend(request, reply, endpoint, parts.allowance);
  parts.bodies.reserve(request, reply);
  readWith(request, parts.bodies);
};

/** Counts a request, and what it appends where it says how much that is. @throws {LimitMet} */
const spend = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { appends }: EndpointFacts,
  allowance: Allowance,
): Promise<void> => {
  const bytes = appends ? (declaredBytes(request) ?? 0) : 0;
  const verdict = await allowance.takeRequest(principalOf(request).tenant, bytes);
  if (verdict.met !== undefined) throw new LimitMet(verdict, verdict.met);
  void reply.headers(headersOf(verdict.standing));
};

/** JSON is read as a whole, and streams are left to their endpoint; no other type is read. */
const takeBodies = (server: FastifyInstance, { allowance, bodies }: EntryParts): void => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(STREAMED_TYPES, (_, payload, done) => done(null, payload));
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await bodies.whole(request, payload);
    // A body that comes in chunks does not say beforehand how much it appends.
    if (request.routeOptions.config.endpoint?.appends && declaredBytes(request) === undefined) {
      const verdict = await allowance.takeBytes(principalOf(request).tenant, bytes.length);
      if (verdict.met !== undefined) throw new LimitMet(verdict, verdict.met);
    }
    return documentIn(bytes);
  });
  // JSON for a provider is passed on in the bytes in which it came.
  server.addHook('onRequest', (request, _, done) => {
    const { headers, routeOptions } = request;
    const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
    if (isJson && routeOptions.config.endpoint?.speaks) headers['content-type'] = STREAMED_TYPES[0];
    done();
  });
};

/** A client that asks before it sends its body is told to go on only once its request is admitted. */
const continueWhereRead = (server: FastifyInstance): void => {
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWith(request, () => response.writeContinue());
    server.server.emit('request', request, response);
  });
};

/** Breaks off exports whose key ends while they go out: they are not taken for whole ones. */
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
