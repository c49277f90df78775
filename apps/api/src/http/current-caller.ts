import type { Caller, SessionRef } from '@app/application';
import { SessionId, type TenantId } from '@app/kernel';
import type { Principal, Role } from '@app/ports';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { principalOf } from './access.guard.js';
import { scopeOf } from './conditions/scopes.js';

/** The authenticated caller of a request: the tenant and rights of their API key. A request cannot name another tenant. */
export type ApiCaller = {
  readonly tenant: TenantId;
  readonly role: Role;
  readonly permissions: Principal['permissions'];
  readonly caller: Caller;
  /** Returns a session of that tenant. @throws {AppError} `invalid-id`. */
  readonly session: (id: string) => SessionRef;
};

const apiCallerOf = (request: FastifyRequest): ApiCaller => {
  const { tenant, actor, role, permissions } = principalOf(request);
  return {
    tenant,
    role,
    permissions,
    caller: { actor, request: scopeOf(request) },
    session: (id) => ({ tenant, session: SessionId(id) }),
  };
};

/** Injects the {@link ApiCaller} of a request as a parameter of a handler. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): ApiCaller =>
    apiCallerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
