import { ShowModel } from '@app/application';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { modelShape, READERS } from './shapes.js';

const response = modelShape.extend({
  seller: z.enum(['vendor', 'bedrock', 'vertex', 'router']).describe('Through whom the name asks for it'),
  rules: z.array(z.string()).describe('By which the name was read'),
});

/** `GET /v1/models/:model` */
@Controller()
export class ShowModelController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/models/:model', {
    id: 'getModel',
    summary: 'Returns the limits and prices of a model.',
    roles: READERS,
    content: 'none',
    response,
    errors: ['unknown-model'],
  })
  show(@Param('model') model: string, @CalledBy() { tenant }: Calling) {
    return this.queries.execute(new ShowModel(tenant, model));
  }
}
