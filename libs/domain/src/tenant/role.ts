/**
 * Roles of keys: `agent` works with sessions, `operator` maintains sessions and service, `auditor` reads records,
 * `privacy` erases content,
 * `admin` has all of these and manages keys and settings of the tenant.
 */
export const KEY_ROLES = ['agent', 'operator', 'auditor', 'privacy', 'admin'] as const;
export type KeyRole = (typeof KEY_ROLES)[number];

/**
 * Permissions of a key besides its role: `content:read` grants access to text of people and models,
 * `retention:shorten` to end retention periods in the mode `governance` early.
 */
export const KEY_PERMISSIONS = ['content:read', 'retention:shorten'] as const;
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** Agents work with text, and admins answer for all of it; auditors and operators work without. */
const OF_ROLE: Readonly<Record<KeyRole, readonly KeyPermission[]>> = {
  agent: ['content:read'],
  operator: [],
  auditor: [],
  privacy: [],
  admin: ['content:read', 'retention:shorten'],
};

/** Returns the permissions of a key of `role` that was `granted` others, each once, in the order of `KEY_PERMISSIONS`. */
export const permissionsOf = (
  role: KeyRole,
  granted: readonly KeyPermission[] = [],
): readonly KeyPermission[] =>
  KEY_PERMISSIONS.filter((one) => OF_ROLE[role].includes(one) || granted.includes(one));
