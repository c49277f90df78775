import type { IsoTime, SecretName, TenantId } from '@app/kernel';

/** A secret as it is listed: never with its value. */
export type NamedSecret = {
  readonly name: SecretName;
  readonly createdAt: IsoTime;
  /** When its value was given last. */
  readonly changedAt: IsoTime;
  /** When something last read it, to the minute; `null` where nothing has. */
  readonly lastUsedAt: IsoTime | null;
};

/**
 * What tenants give the service to use in their name, such as the key of a model's provider. Values are kept sealed.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface SecretStore {
  /** In the place of what is there under the name. @throws {AppError} `secrets-key-missing`. */
  put(tenant: TenantId, name: SecretName, value: string, at: IsoTime): Promise<NamedSecret>;
  /** By name. */
  list(tenant: TenantId): Promise<readonly NamedSecret[]>;
  /** Nothing happens where there is none. */
  remove(tenant: TenantId, name: SecretName): Promise<void>;
  /**
   * The value, for the use that is made of it now: never to be logged, recorded, or shown.
   *
   * @throws {AppError} `secret-not-found`, `secret-unreadable`.
   */
  read(tenant: TenantId, name: SecretName): Promise<string>;
}
