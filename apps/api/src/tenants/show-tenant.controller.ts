import { ShowTenant } from '@app/application';
import { TenantId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Endpoint } from '../http/endpoint.js';
import { listedTenant } from './shapes.js';

/** `GET /v1/tenants/{tenant}` */
@Controller()
export class ShowTenantController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/tenants/:tenant', {
    id: 'getTenant',
    summary: 'Returns a tenant and its limits.',
    roles: ['operator', 'admin'],
    operatorOnly: true,
    content: 'none',
    response: listedTenant,
    errors: ['forbidden', 'invalid-id', 'tenant-not-found'],
  })
  show(@Param('tenant') tenant: string) {
    return this.queries.execute(new ShowTenant(TenantId(tenant)));
  }
}
