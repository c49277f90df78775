import { ROLE_ADMINS, ROLE_OPERATIONS } from './acl.js';

/** The authenticated caller. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly name: string; readonly groups: readonly string[] };

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/** Whether the caller has a role. A user has the roles of their name and groups; other callers have none. */
export const hasRole = (caller: Caller, role: string): boolean =>
  caller.kind === 'user' && (caller.name === role || caller.groups.includes(role));

export const isAdmin = (caller: Caller): boolean => hasRole(caller, ROLE_ADMINS);
export const isOperator = (caller: Caller): boolean => isAdmin(caller) || hasRole(caller, ROLE_OPERATIONS);
