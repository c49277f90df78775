import type { ServerResponse } from 'node:http';
import { OPERATOR_TENANT } from '@app/domain';
import { AppError, Attached } from '@app/kernel';
import type { Access, Principal } from '@app/ports';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SessionCookies } from './browser/session-cookies.js';
import { CONTENT_HEADER, CONTENT_READ, contentForbidden, mayReadContent } from './content/content.js';
import { type EndpointFacts, endpointOf } from './endpoint.js';

type Admitted = { readonly principal: Principal; readonly key: string; readonly access: Access };
const ADMITTED = new Attached<FastifyRequest, Admitted>();

/** Returns the principal of an admitted request. @throws {AppError} `unauthenticated` on an endpoint without authentication. */
export const principalOf = (request: FastifyRequest): Principal => {
  const principal = knownPrincipal(request);
  if (principal) return principal;
  throw new AppError('unauthenticated', 'give an API key: Authorization: Bearer KEY');
};

/** Returns the principal of an admitted request; `undefined` on an endpoint without authentication. */
export const knownPrincipal = (request: FastifyRequest): Principal | undefined =>
  ADMITTED.get(request)?.principal;

/**
 * Calls `end` when the key of a request is revoked or expires before the answer is complete. The process that revokes the key
 * reacts at once, other processes when they read the event.
 */
export const whenKeyEnds = (request: FastifyRequest, answer: ServerResponse, end: () => void): void => {
  const admitted = ADMITTED.get(request);
  if (!admitted) return;
  const stop = admitted.access.watch(admitted.key, end);
  answer.once('close', stop);
};

/**
 * Authenticates and authorizes a request from its headers. The key comes from `Authorization`, or from the cookie of a
 * signed-in page of this service. It must have one of the endpoint's roles, belong to the
 * operator's tenant if the endpoint requires it, and have the permission `content:read` if the answer is text.
 *
 * @throws {AppError} `unauthenticated`, `forbidden`, `content-forbidden`.
 */
export const admit = async (
  { access, cookies }: { readonly access: Access; readonly cookies: SessionCookies },
  request: FastifyRequest,
  { roles, provider, operatorOnly, content }: EndpointFacts,
): Promise<void> => {
  if (roles === 'public') return;
  const key = provider ? clientKeyIn(request) : (keyIn(request) ?? cookies.sessionIn(request)?.key);
  const holder = key === undefined ? undefined : await access.authenticate(key);
  const principal = holder && withAskedPermissions(holder, request);
  if (!principal || key === undefined)
    throw new AppError(
      'unauthenticated',
      provider
        ? 'give a valid API key of Palimpsest: x-palimpsest-key: KEY'
        : 'give a valid API key: Authorization: Bearer KEY',
    );
  if (!roles.includes(principal.role)) {
    throw new AppError(
      'forbidden',
      `this endpoint requires a key with the role ${roles.join(' or ')}: yours has the role ${principal.role}`,
    );
  }
  if (operatorOnly && principal.tenant !== OPERATOR_TENANT) {
    throw new AppError('forbidden', `this endpoint requires a key of the tenant "${OPERATOR_TENANT}"`);
  }
  if ((content === 'text' || content === 'request') && !mayReadContent(principal)) throw contentForbidden();
  ADMITTED.set(request, { principal, key, access });
};

/** A caller who wants no text is treated as one who may not read any. */
const withAskedPermissions = (principal: Principal, { headers }: FastifyRequest): Principal => {
  const wanted = headers[CONTENT_HEADER];
  if (wanted === undefined) return principal;
  if (wanted !== 'none')
    throw new AppError('invalid-request', `${CONTENT_HEADER} is \`none\`, or absent: not "${wanted}"`);
  return { ...principal, permissions: principal.permissions.filter((one) => one !== CONTENT_READ) };
};

/** Rejects handlers without {@link Endpoint} and requests that {@link admit} has not admitted. */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const endpoint = endpointOf(context.getHandler());
    if (!endpoint) throw new AppError('forbidden', 'this handler declares no endpoint');
    if (endpoint.roles !== 'public') principalOf(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i;

/** Returns the bearer token of a request. */
export const keyIn = ({ headers }: FastifyRequest): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

const KEY = /^[\x21-\x7e]{1,200}$/;

/** Returns the key of a gateway client: from `X-Palimpsest-Key`, or from the header of its provider's key. */
export const clientKeyIn = (request: FastifyRequest): string | undefined => {
  const { 'x-palimpsest-key': own, 'x-api-key': providers } = request.headers;
  for (const given of [own, providers])
    if (typeof given === 'string') return KEY.test(given) ? given : undefined;
  return keyIn(request);
};
