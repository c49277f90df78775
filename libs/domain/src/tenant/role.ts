/**
 * Roles of keys: `agent` works with sessions, `operator` maintains sessions and service, `auditor` reads records,
 * `privacy` erases content,
 * `admin` has all of these and manages keys and settings of the tenant.
 */
export const KEY_ROLES = ['agent', 'operator', 'auditor', 'privacy', 'admin'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];
