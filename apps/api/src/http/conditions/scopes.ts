import { type RequestIdentity, RequestScope, streamOf } from '@app/application';
import { AppError, Revision, SessionId, type StreamName, type TenantId } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../access.guard.js';

/** By the request that it came with. */
const SCOPES = new WeakMap<FastifyRequest, RequestScope>();

/** What the commands of a request have in common. */
export const scopeOf = (request: FastifyRequest): RequestScope => SCOPES.get(request) ?? beginScope(request);

/**
 * Begins a request that its caller may have named.
 *
 * @throws {AppError} `invalid-request` where `If-Match` holds no revision.
 */
export const beginScope = (request: FastifyRequest, identity?: RequestIdentity): RequestScope => {
  const stream = sessionStreamOf(request, principalOf(request).tenant);
  const revision = stream && revisionIn(request.headers['if-match']);
  const scope = new RequestScope({
    ...(stream && revision !== undefined && { expected: { stream, revision } }),
    ...(identity && { identity }),
  });
  SCOPES.set(request, scope);
  return scope;
};

/** The stream of the session in the request's path; `undefined` where there is none. */
export const sessionStreamOf = ({ params }: FastifyRequest, tenant: TenantId): StreamName | undefined => {
  const id: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, 'session') : undefined;
  return typeof id === 'string' ? streamOf({ tenant, session: SessionId(id) }) : undefined;
};

export const etagOf = (revision: number): string => `"${revision}"`;

const revisionIn = (header: string | undefined): Revision | undefined => {
  if (header === undefined || header.trim() === '*') return undefined;
  const digits = /^"(\d{1,15})"$/.exec(header.trim())?.[1];
  if (digits !== undefined) return Revision(Number(digits));
  throw new AppError('invalid-request', 'If-Match takes one revision in quotes, such as "12"');
};
