import { ListModels } from '@app/application';
import { model } from '@app/contract';
import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';

/** `GET /v1/models` */
@Controller()
export class ListModelsController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/models', {
    id: 'listModels',
    summary: 'Lists the known models with their limits and prices.',
    roles: READERS,
    content: 'none',
    response: z.array(model),
  })
  list(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ListModels(tenant));
  }
}
