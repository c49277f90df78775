import { keyPermission, keyRole } from '@app/contract';
import { KEY_ROLES } from '@app/domain';
import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from '../http/access.guard.js';
import { Endpoint } from '../http/endpoint.js';

/** `GET /v1/whoami` */
@Controller()
export class WhoamiController {
  @Endpoint('GET', 'v1/whoami', {
    id: 'getCaller',
    summary: 'Returns the tenant, role and permissions of the API key.',
    roles: KEY_ROLES,
    content: 'none',
    response: z.object({
      tenant: z.string(),
      actor: z.string(),
      role: keyRole,
      permissions: z.array(keyPermission),
    }),
  })
  show(@Req() request: FastifyRequest) {
    const { tenant, actor, role, permissions } = principalOf(request);
    return { tenant, actor, role, permissions };
  }
}
