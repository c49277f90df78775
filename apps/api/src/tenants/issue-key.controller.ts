import { IssueApiKey } from '@app/application';
import { keyRole } from '@app/contract';
import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { expiresAt, issuedKey, label, permissions } from './shapes.js';

const body = z.strictObject({ role: keyRole, permissions, label, expiresAt });

/** `POST /v1/keys` */
@Controller()
export class IssueKeyController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/keys', {
    id: 'createKey',
    summary: 'Creates an API key; the answer shows it once.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body,
    response: issuedKey,
  })
  issue(@Body(valid(body)) input: z.output<typeof body>, @CurrentCaller() { tenant, caller }: ApiCaller) {
    return this.commands.execute(new IssueApiKey(tenant, input, caller));
  }
}
