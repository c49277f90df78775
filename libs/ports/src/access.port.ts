import type { KeyPermission, KeyRole } from '@app/domain';
import type { Actor, TenantId } from '@app/kernel';

/** See {@link KeyRole}. */
export type Role = KeyRole;

/** The authenticated caller. */
export type Principal = {
  readonly tenant: TenantId;
  readonly actor: Actor;
  readonly role: Role;
  readonly permissions: readonly KeyPermission[];
};

/** Authenticates callers. */
export interface Access {
  /** Returns the principal of a key; `undefined` if the key is unknown, expired or revoked. */
  authenticate(key: string): Promise<Principal | undefined>;
  /**
   * Calls `end` once when the key becomes invalid: revoked, expired, or no longer verifiable; at once if it is. A key
   * from the configuration never ends.
   *
   * @returns a function that stops watching.
   */
  watch(key: string, end: () => void): () => void;
}
