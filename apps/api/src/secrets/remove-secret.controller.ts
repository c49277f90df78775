import { RemoveSecret } from '@app/application';
import { SecretName } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';

/** `DELETE /v1/secrets/:name` */
@Controller()
export class RemoveSecretController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('DELETE', 'v1/secrets/:name', {
    id: 'removeSecret',
    summary: 'Deletes a secret of the tenant.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ name: z.string(), state: z.literal('removed') }),
    errors: ['invalid-id', 'secret-not-found'],
  })
  async remove(@Param('name') name: string, @CurrentCaller() { tenant, caller }: ApiCaller) {
    await this.commands.execute(new RemoveSecret(tenant, SecretName(name), caller));
    return { name, state: 'removed' as const };
  }
}
