import type { Actor, TenantId } from '@app/kernel';

/**
 * What a key may do: `agent` works with sessions, `operator` looks after them and what serves them, `auditor` reads what
 * was recorded, `admin` does all of that and manages keys and settings of the tenant.
 */
const ROLES = ['agent', 'operator', 'auditor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** On whose word a call is made. */
export type Principal = { readonly tenant: TenantId; readonly actor: Actor; readonly role: Role };

/** Tells who calls. */
export interface Access {
  /** Whose key it is; `undefined` for one that is unknown, expired or revoked. */
  authenticate(key: string): Promise<Principal | undefined>;
}
