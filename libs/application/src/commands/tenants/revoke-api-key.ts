import type { KeyId, TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

/** Revokes a key at once. Idempotent. */
export class RevokeApiKey extends Command<void> {
  constructor(
    readonly tenant: TenantId,
    readonly keyId: KeyId,
    readonly reason: string,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `key-not-found`. */
  async execute({ tenant, keyId, reason, caller }: RevokeApiKey): Promise<void> {
    const data = { tenantId: tenant, keyId, reason, by: caller.actor, now: this.clock.now() };
    await this.tenants.execute(tenant, { type: 'RevokeApiKey', data }, caller);
  }
}
