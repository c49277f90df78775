import { ROLE_ADMINS, ROLE_OPERATIONS } from './acl.js';

/** Who makes a call, once that has been verified. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly name: string; readonly groups: readonly string[] };

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/** A user has the role of his own name and those of his groups; nobody else has any. */
export const hasRole = (caller: Caller, role: string): boolean =>
  caller.kind === 'user' && (caller.name === role || caller.groups.includes(role));

export const isAdmin = (caller: Caller): boolean => hasRole(caller, ROLE_ADMINS);
export const isOperator = (caller: Caller): boolean => isAdmin(caller) || hasRole(caller, ROLE_OPERATIONS);
