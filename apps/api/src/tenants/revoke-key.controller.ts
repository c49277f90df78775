import { RevokeApiKey } from '@app/application';
import { KeyId } from '@app/kernel';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const query = z.strictObject({
  reason: z.string().max(500).default('').describe('Why, for the record'),
});

/** `DELETE /v1/keys/:key` */
@Controller()
export class RevokeKeyController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('DELETE', 'v1/keys/:key', {
    id: 'revokeKey',
    summary: 'Revokes an API key at once, in every process.',
    roles: ['admin'],
    content: 'none',
    query,
    response: z.object({ keyId: z.string(), state: z.literal('revoked') }),
    errors: ['invalid-id', 'key-not-found'],
  })
  async revoke(
    @Param('key') key: string,
    @Query(valid(query)) { reason }: z.output<typeof query>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    await this.commands.execute(new RevokeApiKey(tenant, KeyId(key), reason, caller));
    return { keyId: key, state: 'revoked' as const };
  }
}
