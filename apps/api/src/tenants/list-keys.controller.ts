import { ListApiKeys } from '@app/application';
import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { listedKey } from './shapes.js';

/** `GET /v1/keys` */
@Controller()
export class ListKeysController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/keys', {
    id: 'listKeys',
    summary: 'Lists the API keys of the tenant, without the keys themselves.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ keys: z.array(listedKey) }),
  })
  async list(@CurrentCaller() { tenant }: ApiCaller) {
    return { keys: await this.queries.execute(new ListApiKeys(tenant)) };
  }
}
