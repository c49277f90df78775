import { IssueApiKey, ListApiKeys, RevokeApiKey, RotateApiKey } from '@app/application';
import { keyRole } from '@app/contract';
import { KeyId } from '@app/kernel';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { expiresAt, issuedKey, label, listedKey, overlapSeconds, permissions } from './shapes.js';

const newKey = z.strictObject({ role: keyRole, permissions, label, expiresAt });
const rotation = z.strictObject({ overlapSeconds, expiresAt });
const rotatedKey = issuedKey.extend({
  replaces: z.string(),
  validUntil: z.string().describe('End of the old key’s validity'),
});
const revocation = z.strictObject({
  reason: z.string().max(500).default('').describe('Reason for the audit'),
});

/** API keys of a tenant: `/v1/keys` */
@Controller()
export class KeysController extends BusController {
  @Endpoint('GET', 'v1/keys', {
    id: 'listKeys',
    summary: 'Lists the API keys of the tenant, without the keys themselves.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ keys: z.array(listedKey) }),
  })
  async list(@CurrentCaller() { tenant }: ApiCaller) {
    return { keys: await this.queries.execute(new ListApiKeys(tenant)) };
  }

  @Endpoint('POST', 'v1/keys', {
    id: 'createKey',
    summary: 'Creates an API key; the answer shows it once.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body: newKey,
    response: issuedKey,
    errors: ['too-many-keys'],
  })
  issue(@Body(valid(newKey)) input: z.output<typeof newKey>, @CurrentCaller() { tenant, caller }: ApiCaller) {
    return this.commands.execute(new IssueApiKey(tenant, input, caller));
  }

  @Endpoint('POST', 'v1/keys/:key/rotate', {
    id: 'rotateKey',
    summary: 'Rotates an API key; the old key stays valid during the overlap.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body: rotation,
    response: rotatedKey,
    errors: ['invalid-id', 'key-not-found', 'key-inactive', 'too-many-keys'],
  })
  rotate(
    @Param('key') key: string,
    @Body(valid(rotation)) input: z.output<typeof rotation>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RotateApiKey(tenant, { keyId: KeyId(key), ...input }, caller));
  }

  @Endpoint('DELETE', 'v1/keys/:key', {
    id: 'revokeKey',
    summary: 'Revokes an API key at once, in every process.',
    roles: ['admin'],
    content: 'none',
    query: revocation,
    response: z.object({ keyId: z.string(), state: z.literal('revoked') }),
    errors: ['invalid-id', 'key-not-found'],
  })
  async revoke(
    @Param('key') key: string,
    @Query(valid(revocation)) { reason }: z.output<typeof revocation>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    await this.commands.execute(new RevokeApiKey(tenant, { keyId: KeyId(key), reason }, caller));
    return { keyId: key, state: 'revoked' as const };
  }
}
