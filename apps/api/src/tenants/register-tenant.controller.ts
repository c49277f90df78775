import { RegisterTenant } from '@app/application';
import { TenantId } from '@app/kernel';
import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { issuedKey } from './shapes.js';

const body = z.strictObject({
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/, 'letters, digits and _, at most 64')
    .transform((id) => TenantId(id)),
  name: z.string().min(1).max(200),
});

/** `POST /v1/tenants` */
@Controller()
export class RegisterTenantController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/tenants', {
    id: 'registerTenant',
    summary: 'Registers a tenant and creates its first admin key.',
    roles: ['admin'],
    content: 'none',
    operatorOnly: true,
    status: 201,
    body,
    response: issuedKey,
    errors: ['forbidden', 'tenant-exists'],
  })
  register(
    @Body(valid(body)) { tenant, name }: z.output<typeof body>,
    @CurrentCaller() apiCaller: ApiCaller,
  ) {
    return this.commands.execute(new RegisterTenant(tenant, name, apiCaller.tenant, apiCaller.caller));
  }
}
