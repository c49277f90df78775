import { PutSecret } from '@app/application';
import { SecretName } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { namedSecret, secretValue } from './shapes.js';

const body = z.strictObject({ value: secretValue });

/** `PUT /v1/secrets/:name` */
@Controller()
export class PutSecretController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('PUT', 'v1/secrets/:name', {
    id: 'putSecret',
    summary: 'Stores a secret of the tenant, sealed; no answer ever contains its value.',
    roles: ['admin'],
    content: 'none',
    body,
    response: namedSecret,
    errors: ['invalid-id', 'too-many-secrets', 'secrets-key-missing'],
  })
  put(
    @Param('name') name: string,
    @Body(valid(body)) { value }: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new PutSecret(tenant, SecretName(name), value, caller));
  }
}
