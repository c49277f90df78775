import { ListTenants } from '@app/application';
import { TenantId } from '@app/kernel';
import { Controller, Inject, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { listedTenant } from './shapes.js';

const query = z.strictObject({
  after: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/, 'give `next` of the page before')
    .transform((id) => TenantId(id))
    .optional()
    .describe('`next` of the page before; the first page without it'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Tenants of one page'),
});

const response = z.object({
  items: z.array(listedTenant),
  next: z.string().nullable().describe('Where the next page begins; `null` on the last one'),
});

/** `GET /v1/tenants` */
@Controller()
export class ListTenantsController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/tenants', {
    id: 'listTenants',
    summary: 'Lists all tenants by ID.',
    roles: ['operator', 'admin'],
    operatorOnly: true,
    content: 'none',
    query,
    response,
    errors: ['forbidden', 'projection-behind', 'postgres-unavailable'],
  })
  list(@Query(valid(query)) { after, limit }: z.output<typeof query>) {
    return this.queries.execute(new ListTenants(after, limit));
  }
}
