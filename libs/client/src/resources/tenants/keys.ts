import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';
import type { KeyPermission, KeyRole } from '../../types/names.js';
import { itemsOf } from '../pages.js';

type KeyFacts = {
  readonly keyId: string;
  readonly role: KeyRole;
  /** Those of its role, and those that were granted besides. */
  readonly permissions: readonly KeyPermission[];
  /** How the key begins. */
  readonly prefix: string;
  readonly label: string;
  readonly expiresAt: string | null;
};
/** A key that was just made: `key` is shown here and never again. */
export type IssuedKey = KeyFacts & { readonly tenant: string; readonly key: string };
export type RotatedKey = IssuedKey & {
  readonly replaces: string;
  /** The old key counts until then. */
  readonly validUntil: string;
};
type KeyChange = { readonly by: string; readonly at: string };
export type ListedKey = KeyFacts & {
  readonly state: 'active' | 'revoked' | 'expired';
  readonly issuedAt: string;
  readonly issuedBy: string;
  readonly replacedBy: string | null;
  /** Who gave it a replacement, and when. */
  readonly rotation: KeyChange | null;
  readonly revocation: (KeyChange & { readonly reason: string }) | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
};
/** How much of the service the tenant may take. */
export type TenantLimits = {
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly concurrentCompactions: number;
};

export type ListedTenant = {
  readonly tenant: string;
  readonly name: string;
  /** `null` for the operator's, which is there from the beginning. */
  readonly registeredAt: string | null;
  readonly registeredBy: string | null;
  readonly limits: TenantLimits;
};

/** Keys and limits of the tenant, for its administrators. */
export class Keys {
  constructor(private readonly http: Transport) {}

  /** Whose key the client has. */
  whoami(options?: CallOptions): Promise<{
    readonly tenant: string;
    readonly actor: string;
    readonly role: KeyRole;
    readonly permissions: readonly KeyPermission[];
  }> {
    return this.http.send('GET', path`/v1/whoami`, {}, options);
  }

  list(options?: CallOptions): Promise<{ readonly keys: readonly ListedKey[] }> {
    return this.http.send('GET', path`/v1/keys`, {}, options);
  }

  issue(
    key: {
      readonly role: KeyRole;
      /** Besides those of the role. */
      readonly permissions?: readonly KeyPermission[];
      readonly label?: string;
      readonly expiresAt?: string;
    },
    options?: CallOptions,
  ): Promise<IssuedKey> {
    return this.http.send('POST', path`/v1/keys`, { body: key }, options);
  }

  /** A key that takes the place of another one, which counts on for a while. */
  rotate(
    key: string,
    input: { readonly overlapSeconds?: number; readonly expiresAt?: string } = {},
    options?: CallOptions,
  ): Promise<RotatedKey> {
    return this.http.send('POST', path`/v1/keys/${key}/rotate`, { body: input }, options);
  }

  /** Ends a key at once. */
  revoke(
    key: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<{ readonly keyId: string; readonly state: 'revoked' }> {
    return this.http.send('DELETE', path`/v1/keys/${key}`, { query: { reason } }, options);
  }

  limits(options?: CallOptions): Promise<TenantLimits> {
    return this.http.send('GET', path`/v1/limits`, {}, options);
  }

  changeLimits(change: Partial<TenantLimits>, options?: CallOptions): Promise<TenantLimits> {
    return this.http.send('PUT', path`/v1/limits`, { body: change }, options);
  }

  /** All tenants in the order of their ids, for the operator alone; page by page as they are wanted. */
  tenants(
    query: { readonly limit?: number } = {},
    options?: CallOptions,
  ): AsyncGenerator<ListedTenant, void, undefined> {
    return itemsOf((after) => this.tenantPage({ ...query, ...(after !== undefined && { after }) }, options));
  }

  /** One page of all tenants, for the operator alone; `limit` is 100 where it is not given, and at most 1,000. */
  tenantPage(
    query: { readonly after?: string; readonly limit?: number } = {},
    options?: CallOptions,
  ): Promise<{ readonly items: readonly ListedTenant[]; readonly next: string | null }> {
    return this.http.send('GET', path`/v1/tenants`, { query }, options);
  }

  /** Registers a tenant, for the operator alone; the answer has the key of its first administrator. */
  registerTenant(
    tenant: { readonly tenant: string; readonly name: string },
    options?: CallOptions,
  ): Promise<IssuedKey> {
    return this.http.send('POST', path`/v1/tenants`, { body: tenant }, options);
  }
}
