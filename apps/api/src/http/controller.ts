import type { Caller, SessionRef } from '@app/application';
import { SessionId, type TenantId } from '@app/kernel';
import { Palimpsest } from '@app/platform';
import type { Principal, Role } from '@app/ports';
import { createParamDecorator, type ExecutionContext, Inject } from '@nestjs/common';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from './access.guard.js';
import { scopeOf } from './conditions/scopes.js';

/** A controller of endpoints on the engine; most are commands and queries. */
export abstract class BusController {
  @Inject(Palimpsest) protected readonly engine!: Palimpsest;

  protected get commands(): CommandBus {
    return this.engine.commands;
  }

  protected get queries(): QueryBus {
    return this.engine.queries;
  }
}

/** The authenticated caller of a request: the tenant and rights of their API key. A request cannot name another tenant. */
export type ApiCaller = {
  readonly tenant: TenantId;
  readonly role: Role;
  readonly permissions: Principal['permissions'];
  readonly caller: Caller;
  /** The session of that tenant in the path. @throws {AppError} `invalid-id`. */
  readonly ref: SessionRef;
};

/** Returns the caller of a request. */
export const apiCallerOf = (request: FastifyRequest): ApiCaller => {
  const { tenant, actor, role, permissions } = principalOf(request);
  return {
    tenant,
    role,
    permissions,
    caller: { actor, request: scopeOf(request) },
    get ref() {
      const { session } = request.params as { readonly session: string };
      return { tenant, session: SessionId(session) };
    },
  };
};

/** Injects the {@link ApiCaller} of a request as a parameter of a handler. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): ApiCaller =>
    apiCallerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Body of a request that has no fields: absent, or an empty object. */
export const emptyBody = z.strictObject({});
