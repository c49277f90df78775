import { AppError, holdsServiceKey, type SecretName } from '@app/kernel';
import type { NamedSecret } from '@app/ports';
import { CommandOnTenant } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';

/** Stores a secret of the tenant, replacing the value of the same name. */
export class PutSecret extends CommandOnTenant<
  { readonly name: SecretName; readonly value: string },
  NamedSecret
> {}

const REFUSALS: readonly string[] = ['tenant-not-found', 'too-many-secrets'];

@HandlesCommand(PutSecret)
export class PutSecretHandler extends Handler<PutSecret, 'tenants' | 'secrets' | 'clock'> {
  /**
   * @throws {AppError} `invalid-request` for a key of this service, which would be sent to a provider; `tenant-not-found`,
   * `too-many-secrets`, `secrets-key-missing`.
   */
  async execute({ tenant, input: { name, value }, caller }: PutSecret): Promise<NamedSecret> {
    if (holdsServiceKey(value))
      throw new AppError('invalid-request', 'the value is a key of Palimpsest: give a key of the provider');
    const now = this.parts.clock.now();
    // The value is stored before the event, so that a recorded secret always exists.
    const kept = await this.parts.secrets.put(tenant, name, value, now);
    try {
      const data = { tenantId: tenant, name, now };
      await this.parts.tenants.execute(tenant, { type: 'StoreSecret', data }, caller);
    } catch (error) {
      const isRefused = error instanceof AppError && REFUSALS.includes(error.code);
      if (isRefused) await this.parts.secrets.remove(tenant, name); // Only new names can be rejected.
      throw error;
    }
    return kept;
  }
}

/** Deletes a secret of the tenant. */
export class RemoveSecret extends CommandOnTenant<SecretName, void> {}

@HandlesCommand(RemoveSecret)
export class RemoveSecretHandler extends Handler<RemoveSecret, 'tenants' | 'secrets'> {
  /** @throws {AppError} `tenant-not-found`, `secret-not-found`. */
  async execute({ tenant, input: name, caller }: RemoveSecret): Promise<void> {
    // The value is deleted before the event is recorded; after a crash in between, the command can be repeated.
    await this.parts.secrets.remove(tenant, name);
    const data = { tenantId: tenant, name };
    await this.parts.tenants.execute(tenant, { type: 'RemoveSecret', data }, caller);
  }
}
