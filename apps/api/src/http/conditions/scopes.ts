import { type RequestIdentity, RequestScope, streamOf } from '@app/application';
import { AppError, Attached, Revision, SessionId, type StreamName, type TenantId } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../access.guard.js';

const SCOPES = new Attached<FastifyRequest, RequestScope>();

/** Returns the scope that all commands of a request share. */
export const scopeOf = (request: FastifyRequest): RequestScope => SCOPES.get(request) ?? beginScope(request);

/**
 * Creates the scope of a request.
 *
 * @param identity idempotency ID of the request, if the caller sent one.
 * @throws {AppError} `invalid-request` if `If-Match` is not a revision.
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

/** Returns the stream of the session in the request's path; `undefined` if the path has none. */
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
  throw new AppError(
    'invalid-request',
    'If-Match is not a revision: send one revision in quotes, such as "12"',
  );
};
