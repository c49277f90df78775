import type { Caller, SessionRef } from '@app/application';
import { SessionId, type TenantId } from '@app/kernel';
import type { Principal, Role } from '@app/ports';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { principalOf } from './access.guard.js';
import { scopeOf } from './conditions/scopes.js';

/** The caller of a request and the tenant of their key. A request cannot name another tenant. */
export type Calling = {
  readonly tenant: TenantId;
  readonly role: Role;
  readonly permissions: Principal['permissions'];
  readonly caller: Caller;
  /** Returns a session of that tenant. @throws {AppError} `invalid-id`. */
  readonly session: (id: string) => SessionRef;
};

const callingOf = (request: FastifyRequest): Calling => {
  const { tenant, actor, role, permissions } = principalOf(request);
  return {
    tenant,
    role,
    permissions,
    caller: { actor, request: scopeOf(request) },
    session: (id) => ({ tenant, session: SessionId(id) }),
  };
};

/** Injects the {@link Calling} of a request as a parameter of a handler. */
export const CalledBy = createParamDecorator(
  (_: unknown, context: ExecutionContext): Calling =>
    callingOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
