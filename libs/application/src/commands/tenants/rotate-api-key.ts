import { IsoTime, invariant, type KeyId, type TenantId } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';
import { newApiKey } from '../../tenants/api-key.js';
import type { TenantStore } from '../../tenants/tenant-store.js';
import type { IssuedApiKey } from './issue-api-key.js';

export type RotationInput = {
  /** Seconds for which the old key stays valid. */
  readonly overlapSeconds: number;
  /** Expiry of the new key; `null` for none. */
  readonly expiresAt: IsoTime | null;
};

/** Replaces a key with a new one of the same role and label. */
export class RotateApiKey extends Command<RotatedApiKey> {
  constructor(
    readonly tenant: TenantId,
    readonly keyId: KeyId,
    readonly input: RotationInput,
    readonly caller: Caller,
  ) {
    super();
  }
}
export type RotatedApiKey = IssuedApiKey & {
  readonly replaces: KeyId;
  /** End of validity of the old key. */
  readonly validUntil: IsoTime;
};

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`, `key-not-found`, `key-inactive`, `too-many-keys`. */
  async execute({ tenant, keyId, input, caller }: RotateApiKey): Promise<RotatedApiKey> {
    const { secret, kept } = newApiKey();
    const now = this.clock.now();
    const validUntil = IsoTime(new Date(Date.parse(now) + input.overlapSeconds * 1_000));
    const replacement = { ...kept, expiresAt: input.expiresAt };
    const data = { tenantId: tenant, keyId, replacement, validUntil, by: caller.actor, now };
    const { events } = await this.tenants.execute(tenant, { type: 'RotateApiKey', data }, caller);
    const [rotated] = events;
    invariant(rotated?.type === 'ApiKeyRotated', 'to rotate a key records that it was rotated');
    const { hash: _, ...shown } = rotated.data.replacement;
    return { tenant, key: secret, ...shown, replaces: keyId, validUntil: rotated.data.validUntil };
  }
}
