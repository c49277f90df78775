import { ListSecrets, PutSecret, RemoveSecret } from '@app/application';
import { SecretName } from '@app/kernel';
import { Body, Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

/** Maximum characters: fits a provider's key or a PEM certificate. */
const VALUE_MAX = 16_384;

const secretValue = z.string().min(1).max(VALUE_MAX).describe('Stored encrypted and never returned');

const namedSecret = z
  .object({
    name: z.string(),
    createdAt: z.string(),
    changedAt: z.string().describe('Time of the last change of its value'),
    lastUsedAt: z.string().nullable().describe('Time of the last use, to the minute'),
  })
  .meta({ id: 'NamedSecret', description: 'A secret, without its value.' });

const putSecretBody = z.strictObject({ value: secretValue });

/** Routes below `/v1/secrets`. */
@Controller()
export class SecretsController extends BusController {
  @Endpoint('GET', 'v1/secrets', {
    id: 'listSecrets',
    summary: 'Lists the names of the tenant’s secrets.',
    roles: ['admin'],
    content: 'none',
    response: z.object({ secrets: z.array(namedSecret) }),
  })
  async list(@CurrentCaller() { tenant }: ApiCaller) {
    return { secrets: await this.queries.execute(new ListSecrets(tenant)) };
  }

  @Endpoint('PUT', 'v1/secrets/:name', {
    id: 'putSecret',
    summary: 'Stores a secret of the tenant, sealed; no answer ever contains its value.',
    roles: ['admin'],
    content: 'none',
    body: putSecretBody,
    response: namedSecret,
    errors: ['invalid-id', 'too-many-secrets', 'secrets-key-missing'],
  })
  put(
    @Param('name') name: string,
    @Body(valid(putSecretBody)) { value }: z.output<typeof putSecretBody>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new PutSecret(tenant, { name: SecretName(name), value }, caller));
  }

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
