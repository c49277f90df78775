import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../access.guard.js';
import { type EndpointFacts, isSessionWrite } from '../endpoint.js';
import { etagOf, scopeOf, sessionStreamOf } from './scopes.js';

/** Sets the revision of the session as `ETag`, and returns the answer: none with status 304, if `If-None-Match` names it. */
export const withRevision = <Answer>(
  answer: Answer,
  endpoint: EndpointFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): Answer | undefined => {
  if (endpoint.isRevisioned) return notModifiedOr(answer, request, reply);
  if (isSessionWrite(endpoint)) sendRevision(request, reply);
  return answer;
};

/** Sets the revision that a write has left as `ETag`. */
const sendRevision = (request: FastifyRequest, reply: FastifyReply): void => {
  const stream = sessionStreamOf(request, principalOf(request).tenant);
  const revision = stream && scopeOf(request).revisionOf(stream);
  if (revision !== undefined) void reply.header('etag', etagOf(revision));
};

const notModifiedOr = <Answer>(
  answer: Answer,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Answer | undefined => {
  const revision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'revision') : 0;
  if (typeof revision !== 'number') return answer;
  const etag = etagOf(revision);
  void reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (!includesEtag(etag, headers['if-none-match'])) return answer;
  void reply.status(304);
  return undefined;
};

/** Weak comparison, as RFC 9110 requires for `If-None-Match`. */
const includesEtag = (etag: string, header: string | undefined): boolean =>
  (header ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
