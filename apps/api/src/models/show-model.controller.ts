import { ShowModel } from '@app/application';
import { foundModel } from '@app/contract';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';

/** `GET /v1/models/:model` */
@Controller()
export class ShowModelController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/models/:model', {
    id: 'getModel',
    summary: 'Returns the limits and prices of a model.',
    roles: READERS,
    content: 'none',
    response: foundModel,
    errors: ['unknown-model'],
  })
  show(@Param('model') model: string, @CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ShowModel(tenant, model));
  }
}
