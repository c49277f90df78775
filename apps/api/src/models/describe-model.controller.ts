import { modelFacts } from '@app/adapters/models-file';
import { DescribeModel } from '@app/application';
import { model } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

/** `PUT /v1/models/:model` */
@Controller()
export class DescribeModelController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('PUT', 'v1/models/:model', {
    id: 'describeModel',
    summary: 'Sets the tenant’s own limits and prices of a model.',
    roles: ['admin'],
    content: 'none',
    body: modelFacts,
    response: model,
    errors: ['invalid-settings'],
  })
  describe(
    @Param('model') id: string,
    @Body(valid(modelFacts)) facts: z.output<typeof modelFacts>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new DescribeModel(tenant, { id, ...facts }, caller));
  }
}
