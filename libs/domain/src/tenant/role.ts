/**
 * What a key may do: `agent` works with sessions, `operator` looks after them and what serves them, `auditor` reads what
 * was recorded, `admin` does all of that and manages keys and settings of the tenant.
 */
export const KEY_ROLES = ['agent', 'operator', 'auditor', 'admin'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];
