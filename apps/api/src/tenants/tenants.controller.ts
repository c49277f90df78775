import { ListTenants, RegisterTenant, ShowTenant } from '@app/application';
import { KEY_ROLES } from '@app/domain';
import { TenantId } from '@app/kernel';
import { Body, Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from '../http/access.guard.js';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { issuedKey, keyHolder, listedTenant } from './shapes.js';

const listTenantsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/, 'give `next` of the page before')
    .transform((id) => TenantId(id))
    .exactOptional()
    .describe('`next` of the previous page; absent for the first page'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of tenants'),
});

const listTenantsResponse = z.object({
  items: z.array(listedTenant),
  next: z.string().nullable().describe('Cursor of the next page; `null` on the last one'),
});

const registerTenantBody = z.strictObject({
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/, 'give letters, digits and _, at most 64')
    .transform((id) => TenantId(id)),
  name: z.string().min(1).max(200),
});

/** Tenants, and the caller’s own. */
@Controller()
export class TenantsController extends BusController {
  @Endpoint('GET', 'v1/tenants', {
    id: 'listTenants',
    summary: 'Lists all tenants by ID.',
    roles: ['operator', 'admin'],
    operatorOnly: true,
    content: 'none',
    query: listTenantsQuery,
    response: listTenantsResponse,
    errors: ['forbidden', 'postgres-unavailable', 'projection-behind'],
  })
  list(@Query(valid(listTenantsQuery)) { after, limit }: z.output<typeof listTenantsQuery>) {
    return this.queries.execute(new ListTenants(after, limit));
  }

  @Endpoint('GET', 'v1/tenants/:tenant', {
    id: 'getTenant',
    summary: 'Returns a tenant and its limits.',
    roles: ['operator', 'admin'],
    operatorOnly: true,
    content: 'none',
    response: listedTenant,
    errors: ['forbidden', 'invalid-id', 'tenant-not-found'],
  })
  showTenant(@Param('tenant') tenant: string) {
    return this.queries.execute(new ShowTenant(TenantId(tenant)));
  }

  @Endpoint('POST', 'v1/tenants', {
    id: 'registerTenant',
    summary: 'Registers a tenant and creates its first admin key.',
    roles: ['admin'],
    content: 'none',
    operatorOnly: true,
    status: 201,
    body: registerTenantBody,
    response: issuedKey,
    errors: ['forbidden', 'tenant-exists'],
  })
  register(
    @Body(valid(registerTenantBody)) { tenant, name }: z.output<typeof registerTenantBody>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    return this.commands.execute(new RegisterTenant(tenant, name, apiCaller.tenant, apiCaller.caller));
  }

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
