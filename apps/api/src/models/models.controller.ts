import { modelFacts } from '@app/adapters/models-file';
import { DescribeModel, ForgetModel, ListModels, ShowModel } from '@app/application';
import { foundModel, model } from '@app/contract';
import { Body, Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';

/** Routes below `/v1/models`. */
@Controller()
export class ModelsController extends BusController {
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

  @Endpoint('DELETE', 'v1/models/:model', {
    id: 'forgetModel',
    summary: 'Removes the tenant’s own description of a model.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ model: z.string(), state: z.literal('forgotten') }),
    errors: ['unknown-model'],
  })
  async forget(
    @Param('model') model: string,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ): Promise<{ readonly model: string; readonly state: 'forgotten' }> {
    await this.commands.execute(new ForgetModel(tenant, model, caller));
    return { model, state: 'forgotten' };
  }
}
