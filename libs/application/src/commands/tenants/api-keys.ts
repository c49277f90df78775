import { type ApiKeyFacts, type KeyPermission, type KeyRole, permissionsOf } from '@app/domain';
import { IsoTime, invariant, type KeyId, type TenantId } from '@app/kernel';
import { CommandOnTenant } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { newApiKey } from '../../tenants/api-key.js';

/** `key` is the whole key, of which only a digest is stored: it cannot be shown again. */
export type IssuedApiKey = Omit<ApiKeyFacts, 'hash'> & { readonly tenant: TenantId; readonly key: string };

export type ApiKeyInput = {
  readonly role: KeyRole;
  /** Permissions in addition to those of the role. */
  readonly permissions?: readonly KeyPermission[];
  readonly label: string;
  readonly expiresAt: IsoTime | null;
};

/** Creates an API key of a tenant. */
export class IssueApiKey extends CommandOnTenant<ApiKeyInput, IssuedApiKey> {}

@HandlesCommand(IssueApiKey)
export class IssueApiKeyHandler extends Handler<IssueApiKey, 'tenants' | 'clock'> {
  /** @throws {AppError} `tenant-not-found`, `too-many-keys`. */
  async execute({ tenant, input, caller }: IssueApiKey): Promise<IssuedApiKey> {
    const { secret, kept } = newApiKey();
    const key = { ...kept, ...input, permissions: permissionsOf(input.role, input.permissions) };
    const data = { tenantId: tenant, key, by: caller.actor, now: this.parts.clock.now() };
    await this.parts.tenants.execute(tenant, { type: 'IssueApiKey', data }, caller);
    const { hash: _, ...shown } = key;
    return { tenant, key: secret, ...shown };
  }
}

/** Revokes a key at once. Idempotent. */
export class RevokeApiKey extends CommandOnTenant<{ readonly keyId: KeyId; readonly reason: string }, void> {}

@HandlesCommand(RevokeApiKey)
export class RevokeApiKeyHandler extends Handler<RevokeApiKey, 'tenants' | 'clock'> {
  /** @throws {AppError} `tenant-not-found`, `key-not-found`. */
  async execute({ tenant, input: { keyId, reason }, caller }: RevokeApiKey): Promise<void> {
    const data = { tenantId: tenant, keyId, reason, by: caller.actor, now: this.parts.clock.now() };
    await this.parts.tenants.execute(tenant, { type: 'RevokeApiKey', data }, caller);
  }
}

export type RotationInput = {
  readonly keyId: KeyId;
  /** Seconds for which the old key stays valid. */
  readonly overlapSeconds: number;
  /** Expiry of the new key; `null` for none. */
  readonly expiresAt: IsoTime | null;
};

/** Replaces a key with a new one of the same role and label. */
export class RotateApiKey extends CommandOnTenant<RotationInput, RotatedApiKey> {}
export type RotatedApiKey = IssuedApiKey & {
  readonly replaces: KeyId;
  /** End of validity of the old key. */
  readonly validUntil: IsoTime;
};

@HandlesCommand(RotateApiKey)
export class RotateApiKeyHandler extends Handler<RotateApiKey, 'tenants' | 'clock'> {
  /** @throws {AppError} `tenant-not-found`, `key-not-found`, `key-inactive`, `too-many-keys`. */
  async execute({ tenant, input, caller }: RotateApiKey): Promise<RotatedApiKey> {
    const { keyId } = input;
    const { secret, kept } = newApiKey();
    const now = this.parts.clock.now();
    const validUntil = IsoTime(new Date(Date.parse(now) + input.overlapSeconds * 1_000));
    const replacement = { ...kept, expiresAt: input.expiresAt };
    const data = { tenantId: tenant, keyId, replacement, validUntil, by: caller.actor, now };
    const { events } = await this.parts.tenants.execute(tenant, { type: 'RotateApiKey', data }, caller);
    const [rotated] = events;
    invariant(rotated?.type === 'ApiKeyRotated', 'to rotate a key records that it was rotated');
    const { hash: _, ...shown } = rotated.data.replacement;
    return { tenant, key: secret, ...shown, replaces: keyId, validUntil: rotated.data.validUntil };
  }
}
