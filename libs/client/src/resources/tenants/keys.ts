import type {
  ChangeLimitsRequest,
  CreateKeyRequest,
  GetSignInResponse,
  IssuedKey,
  KeyHolder,
  ListedTenant,
  ListKeysResponse,
  ListTenantsQuery,
  RegisterTenantRequest,
  RevokeKeyResponse,
  RotateKeyRequest,
  RotateKeyResponse,
  SignInRequest,
  SignOutResponse,
  TenantLimits,
} from '../../generated/types.js';
import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';
import { itemsOf, type Page } from '../pages.js';

/** Keys and limits of the tenant, for its admins. */
export class Keys {
  constructor(private readonly http: Transport) {}

  /** Returns tenant, role and permissions of the client's key. */
  whoami(options?: CallOptions): Promise<KeyHolder> {
    return this.http.send('GET', path`/v1/whoami`, {}, options);
  }

  /** Signs a browser in: the answer sets a session cookie for this origin. `code` is that of a sign-in link. */
  signIn(credential: SignInRequest, options?: CallOptions): Promise<KeyHolder> {
    return this.http.send('POST', path`/v1/sign-in`, { body: credential }, options);
  }

  /** Returns the key holder of a browser's session; `null` without one. */
  signedIn(options?: CallOptions): Promise<GetSignInResponse> {
    return this.http.send('GET', path`/v1/sign-in`, {}, options);
  }

  /** Signs a browser out: the answer removes the session cookie. */
  signOut(options?: CallOptions): Promise<SignOutResponse> {
    return this.http.send('POST', path`/v1/sign-out`, {}, options);
  }

  list(options?: CallOptions): Promise<ListKeysResponse> {
    return this.http.send('GET', path`/v1/keys`, {}, options);
  }

  issue(key: CreateKeyRequest, options?: CallOptions): Promise<IssuedKey> {
    return this.http.send('POST', path`/v1/keys`, { body: key }, options);
  }

  /** Rotates a key; the old key stays valid during the overlap. */
  rotate(key: string, input: RotateKeyRequest = {}, options?: CallOptions): Promise<RotateKeyResponse> {
    return this.http.send('POST', path`/v1/keys/${key}/rotate`, { body: input }, options);
  }

  /** Revokes a key at once. */
  revoke(key: string, reason?: string, options?: CallOptions): Promise<RevokeKeyResponse> {
    return this.http.send('DELETE', path`/v1/keys/${key}`, { query: { reason } }, options);
  }

  limits(options?: CallOptions): Promise<TenantLimits> {
    return this.http.send('GET', path`/v1/limits`, {}, options);
  }

  changeLimits(change: ChangeLimitsRequest, options?: CallOptions): Promise<TenantLimits> {
    return this.http.send('PUT', path`/v1/limits`, { body: change }, options);
  }

  /** Iterates over all tenants by ID, for the operator; pages are requested as needed. */
  tenants(
    query: Omit<ListTenantsQuery, 'after'> = {},
    options?: CallOptions,
  ): AsyncGenerator<ListedTenant, void, undefined> {
    return itemsOf((after) => this.tenantPage({ ...query, ...(after !== undefined && { after }) }, options));
  }

  /** Returns a tenant and its limits, for the operator. */
  tenant(tenant: string, options?: CallOptions): Promise<ListedTenant> {
    return this.http.send('GET', path`/v1/tenants/${tenant}`, {}, options);
  }

  /** Returns one page of all tenants, for the operator; `limit` is 100 by default and at most 1,000. */
  tenantPage(query: ListTenantsQuery = {}, options?: CallOptions): Promise<Page<ListedTenant>> {
    return this.http.send('GET', path`/v1/tenants`, { query }, options);
  }

  /** Registers a tenant, for the operator; the answer has the key of its first admin. */
  registerTenant(tenant: RegisterTenantRequest, options?: CallOptions): Promise<IssuedKey> {
    return this.http.send('POST', path`/v1/tenants`, { body: tenant }, options);
  }
}
