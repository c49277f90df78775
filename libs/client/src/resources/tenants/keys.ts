import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';
import type { KeyPermission, KeyRole } from '../../types/names.js';
import { itemsOf } from '../pages.js';

type KeyFacts = {
  readonly keyId: string;
  readonly role: KeyRole;
  /** Permissions of the role, and granted ones. */
  readonly permissions: readonly KeyPermission[];
  /** First characters of the key. */
  readonly prefix: string;
  readonly label: string;
  readonly expiresAt: string | null;
};
/** Tenant, role and permissions of a key. */
export type KeyHolder = {
  readonly tenant: string;
  readonly actor: string;
  readonly role: KeyRole;
  readonly permissions: readonly KeyPermission[];
};
/** A new key; `key` is shown once. */
export type IssuedKey = KeyFacts & { readonly tenant: string; readonly key: string };
export type RotatedKey = IssuedKey & {
  readonly replaces: string;
  /** End of validity of the old key. */
  readonly validUntil: string;
};
type KeyChange = { readonly by: string; readonly at: string };
export type ListedKey = KeyFacts & {
  readonly state: 'active' | 'revoked' | 'expired';
  readonly issuedAt: string;
  readonly issuedBy: string;
  readonly replacedBy: string | null;
  /** Actor and time of the rotation. */
  readonly rotation: KeyChange | null;
  readonly revocation: (KeyChange & { readonly reason: string }) | null;
  /** Precise to the minute. */
  readonly lastUsedAt: string | null;
};
/** Rate limits of a tenant. */
export type TenantLimits = {
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly concurrentCompactions: number;
};

export type ListedTenant = {
  readonly tenant: string;
  readonly name: string;
  /** `null` for the operator's tenant, which exists without a registration. */
  readonly registeredAt: string | null;
  readonly registeredBy: string | null;
  readonly limits: TenantLimits;
};

/** Keys and limits of the tenant, for its admins. */
export class Keys {
  constructor(private readonly http: Transport) {}

  /** Returns tenant, role and permissions of the client's key. */
  whoami(options?: CallOptions): Promise<KeyHolder> {
    return this.http.send('GET', path`/v1/whoami`, {}, options);
  }

  /** Signs a browser in: the answer sets a session cookie for this origin. `code` is that of a sign-in link. */
  signIn(
    credential: { readonly key: string } | { readonly code: string },
    options?: CallOptions,
  ): Promise<KeyHolder> {
    return this.http.send('POST', path`/v1/sign-in`, { body: credential }, options);
  }

  /** Returns the key holder of a browser's session; `null` without one. */
  signedIn(options?: CallOptions): Promise<{ readonly signedIn: KeyHolder | null }> {
    return this.http.send('GET', path`/v1/sign-in`, {}, options);
  }

  /** Signs a browser out: the answer removes the session cookie. */
  signOut(options?: CallOptions): Promise<{ readonly signedOut: true }> {
    return this.http.send('POST', path`/v1/sign-out`, {}, options);
  }

  list(options?: CallOptions): Promise<{ readonly keys: readonly ListedKey[] }> {
    return this.http.send('GET', path`/v1/keys`, {}, options);
  }

  issue(
    key: {
      readonly role: KeyRole;
      /** Permissions in addition to those of the role. */
      readonly permissions?: readonly KeyPermission[];
      readonly label?: string;
      readonly expiresAt?: string;
    },
    options?: CallOptions,
  ): Promise<IssuedKey> {
    return this.http.send('POST', path`/v1/keys`, { body: key }, options);
  }

  /** Rotates a key; the old key stays valid during the overlap. */
  rotate(
    key: string,
    input: { readonly overlapSeconds?: number; readonly expiresAt?: string } = {},
    options?: CallOptions,
  ): Promise<RotatedKey> {
    return this.http.send('POST', path`/v1/keys/${key}/rotate`, { body: input }, options);
  }

  /** Revokes a key at once. */
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

  /** Iterates over all tenants by ID, for the operator; pages are requested as needed. */
  tenants(
    query: { readonly limit?: number } = {},
    options?: CallOptions,
  ): AsyncGenerator<ListedTenant, void, undefined> {
    return itemsOf((after) => this.tenantPage({ ...query, ...(after !== undefined && { after }) }, options));
  }

  /** Returns one page of all tenants, for the operator; `limit` is 100 by default and at most 1,000. */
  tenantPage(
    query: { readonly after?: string; readonly limit?: number } = {},
    options?: CallOptions,
  ): Promise<{ readonly items: readonly ListedTenant[]; readonly next: string | null }> {
    return this.http.send('GET', path`/v1/tenants`, { query }, options);
  }

  /** Registers a tenant, for the operator; the answer has the key of its first admin. */
  registerTenant(
    tenant: { readonly tenant: string; readonly name: string },
    options?: CallOptions,
  ): Promise<IssuedKey> {
    return this.http.send('POST', path`/v1/tenants`, { body: tenant }, options);
  }
}
