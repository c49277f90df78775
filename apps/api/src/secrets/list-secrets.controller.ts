import { ListSecrets } from '@app/application';
import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { namedSecret } from './shapes.js';

/** `GET /v1/secrets` */
@Controller()
export class ListSecretsController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/secrets', {
    id: 'listSecrets',
    summary: 'Lists the names of the tenant’s secrets.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ secrets: z.array(namedSecret) }),
  })
  async list(@CurrentCaller() { tenant }: ApiCaller) {
    return { secrets: await this.queries.execute(new ListSecrets(tenant)) };
  }
}
