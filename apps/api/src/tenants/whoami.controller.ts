import { KEY_ROLES } from '@app/domain';
import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../http/access.guard.js';
import { Endpoint } from '../http/endpoint.js';
import { keyHolder } from './shapes.js';

/** `GET /v1/whoami` */
@Controller()
export class WhoamiController {
  @Endpoint('GET', 'v1/whoami', {
    id: 'getCaller',
    summary: 'Returns the tenant, role and permissions of the API key.',
    roles: KEY_ROLES,
    content: 'none',
    response: keyHolder,
  })
  show(@Req() request: FastifyRequest) {
    const { tenant, actor, role, permissions } = principalOf(request);
    return { tenant, actor, role, permissions };
  }
}
