import { ForgetModel } from '@app/application';
import { Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';

/** `DELETE /v1/models/:model` */
@Controller()
export class ForgetModelController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

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
