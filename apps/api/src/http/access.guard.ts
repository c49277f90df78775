import type { ServerResponse } from 'node:http';
import { OPERATOR_TENANT } from '@app/domain';
import { AppError } from '@app/kernel';
import type { Access, Principal } from '@app/ports';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { contentForbidden, mayReadContent } from './content/content.js';
import { type EndpointFacts, endpointOf } from './endpoint.js';

/** By the request that it came with; nobody else can reach it. */
type Admitted = { readonly principal: Principal; readonly key: string; readonly access: Access };
const ADMITTED = new WeakMap<FastifyRequest, Admitted>();

/** Who calls. @throws {AppError} `unauthenticated` where the endpoint lets anybody in. */
export const principalOf = (request: FastifyRequest): Principal => {
  const principal = knownPrincipal(request);
  if (principal) return principal;
  throw new AppError('unauthenticated', 'give an API key: Authorization: Bearer KEY');
};

/** The same, for whoever only takes note of it; `undefined` where nobody had to say. */
export const knownPrincipal = (request: FastifyRequest): Principal | undefined =>
  ADMITTED.get(request)?.principal;

/**
 * Calls `end` when the key of a request counts no longer while its answer is under way: at once in the process where the key
 * was revoked, and in every other one when its log says so.
 */
export const whenKeyEnds = (request: FastifyRequest, answer: ServerResponse, end: () => void): void => {
  const admitted = ADMITTED.get(request);
  if (!admitted) return;
  const stop = admitted.access.watch(admitted.key, end);
  answer.once('close', stop);
};

/**
 * Lets a request in whose key has a role that the endpoint names, and the permission to read text where its answer is that.
 * It reads the head of the request alone.
 *
 * @throws {AppError} `unauthenticated`, `forbidden`, `content-forbidden`.
 */
export const admit = async (
  access: Access,
  request: FastifyRequest,
  { roles, speaks, ofOperator, content }: EndpointFacts,
): Promise<void> => {
  if (roles === 'public') return;
  const key = speaks ? clientKeyIn(request) : keyIn(request);
  const principal = key === undefined ? undefined : await access.authenticate(key);
  if (!principal || key === undefined)
    throw new AppError('unauthenticated', 'give a valid API key: Authorization: Bearer KEY');
  if (!roles.includes(principal.role)) {
    throw new AppError(
      'forbidden',
      `this takes a key of role ${roles.join(' or ')}: yours is of role ${principal.role}`,
    );
  }
  if (ofOperator && principal.tenant !== OPERATOR_TENANT) {
    throw new AppError('forbidden', `this takes a key of the tenant "${OPERATOR_TENANT}"`);
  }
  if ((content === 'text' || content === 'request') && !mayReadContent(principal)) throw contentForbidden();
  ADMITTED.set(request, { principal, key, access });
};

/** Refuses a handler that declares no access, and a request that {@link admit} has not seen. */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const endpoint = endpointOf(context.getHandler());
    if (!endpoint) throw new AppError('forbidden', 'nobody may call this endpoint');
    if (endpoint.roles !== 'public') principalOf(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i;

/** The key that a request came with. */
export const keyIn = ({ headers }: FastifyRequest): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

const KEY = /^[\x21-\x7e]{1,200}$/;

/** The key of a client of the gateway: in a header of its own, or where its provider's would be. */
export const clientKeyIn = (request: FastifyRequest): string | undefined => {
  const { 'x-palimpsest-key': own, 'x-api-key': providers } = request.headers;
  for (const given of [own, providers])
    if (typeof given === 'string') return KEY.test(given) ? given : undefined;
  return keyIn(request);
};
