import type { IsoTime, SecretName, TenantId } from '@app/kernel';

/** A secret as it is listed: never with its value. */
export type NamedSecret = {
  readonly name: SecretName;
  readonly createdAt: IsoTime;
  /** When its value was given last. */
  readonly changedAt: IsoTime;
  /** The time of the last read, to the minute; `null` without any. */
  readonly lastUsedAt: IsoTime | null;
};

/**
 * Secrets of tenants that the service uses on their behalf, such as keys of model providers. Values are stored
 * sealed.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface SecretStore {
  /**
   * Creates or replaces a secret.
   * @throws {AppError} `secrets-key-missing`.
   */
  put(tenant: TenantId, name: SecretName, value: string, at: IsoTime): Promise<NamedSecret>;
  /** By name. */
  list(tenant: TenantId): Promise<readonly NamedSecret[]>;
  /** No-op without a secret of that name. */
  remove(tenant: TenantId, name: SecretName): Promise<void>;
  /**
   * The value, for the use that is made of it now: never to be logged, recorded, or shown.
   *
   * @throws {AppError} `secret-not-found`, `secret-unreadable`.
   */
  read(tenant: TenantId, name: SecretName): Promise<string>;
}

/** Seals secrets for their storage locations, and opens them. */
export interface SecretBox {
  /** Prefix of newly sealed secrets; `undefined` without a sealing key. */
  readonly prefix: string | undefined;
  /**
   * @param place the storage location, such as `webhook/acme/wh_…`: a secret moved elsewhere cannot be opened.
   * @throws {AppError} `secrets-key-missing`.
   */
  seal(secret: string, place: string): string;
  /** @throws {AppError} `secret-unreadable`, with the id of the required key. */
  open(sealed: string, place: string): string;
}
