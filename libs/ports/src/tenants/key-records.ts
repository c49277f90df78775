import type { ApiKeyFacts } from '@app/domain';
import type { IsoTime, KeyId, LogPosition, TenantId } from '@app/kernel';

/** A key, with whose it is. */
export type KeyRecord = Pick<ApiKeyFacts, 'keyId' | 'role' | 'permissions' | 'hash' | 'expiresAt'> & {
  readonly tenant: TenantId;
  readonly revoked: boolean;
};

/** All keys of all tenants, as of a place in the log. */
export type KeyRecords = {
  readonly keys: readonly KeyRecord[];
  readonly position: LogPosition | 'start';
};

/**
 * When keys were used last, to the minute: not from the log, and lost with the database.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface KeyUses {
  note(tenant: TenantId, key: KeyId, at: IsoTime): Promise<void>;
  of(tenant: TenantId): Promise<ReadonlyMap<KeyId, IsoTime>>;
}
