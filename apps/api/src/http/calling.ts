import type { Caller, SessionRef } from '@app/application';
import { SessionId, type TenantId } from '@app/kernel';
import type { Role } from '@app/ports';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { principalOf } from './access.guard.js';
import { scopeOf } from './conditions/scopes.js';

/** Who calls, and for which tenant: always that of the key, whatever the request says. */
export type Calling = {
  readonly tenant: TenantId;
  readonly role: Role;
  readonly caller: Caller;
  /** A session of that tenant. @throws {AppError} `invalid-id`. */
  readonly session: (id: string) => SessionRef;
};

const callingOf = (request: FastifyRequest): Calling => {
  const { tenant, actor, role } = principalOf(request);
  return {
    tenant,
    role,
    caller: { actor, request: scopeOf(request) },
    session: (id) => ({ tenant, session: SessionId(id) }),
  };
};

/** A parameter of an endpoint's method. */
export const CalledBy = createParamDecorator(
  (_: unknown, context: ExecutionContext): Calling =>
    callingOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
