import { RotateApiKey } from '@app/application';
import { KeyId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { expiresAt, issuedKey, overlapSeconds } from './shapes.js';

const body = z.strictObject({ overlapSeconds, expiresAt });
const response = issuedKey.extend({
  replaces: z.string(),
  validUntil: z.string().describe('The old key counts until then'),
});

/** `POST /v1/keys/:key/rotate` */
@Controller()
export class RotateKeyController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/keys/:key/rotate', {
    id: 'rotateKey',
    summary: 'Rotates an API key; the old key stays valid during the overlap.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body,
    response,
    errors: ['invalid-id', 'key-not-found', 'key-inactive'],
  })
  rotate(
    @Param('key') key: string,
    @Body(valid(body)) input: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RotateApiKey(tenant, KeyId(key), input, caller));
  }
}
