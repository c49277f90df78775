import {
  type Acl,
  BUILT_IN_ACLS,
  type DefaultAcls,
  isProjected,
  PROJECTED_ACL,
  ROLE_ALL,
  type StreamOperation,
} from './acl.js';
import { type Caller, hasRole, isAdmin } from './caller.js';

/** An operation on a stream that is not a metadata stream. */
export type RequiredAccess = { readonly operation: StreamOperation; readonly stream: string };

export type AclRules = {
  /** `$acl` of the stream's metadata. */
  readonly acl: Acl;
  readonly defaults: DefaultAcls;
  /** Whether `$all` includes anonymous callers. In EventStoreDB not since 23.10. */
  readonly anonymousAccess: boolean;
};

/**
 * Returns the access that an operation requires: reading or writing `$$x` requires reading or writing the metadata of
 * `x`. `undefined` if not even an administrator may: deleting metadata, writing or deleting `$all`.
 */
export const requiredAccess = (operation: StreamOperation, stream: string): RequiredAccess | undefined => {
  if (!stream.startsWith(METADATA_PREFIX)) {
    const isImpossible = stream === '$all' && (operation === 'write' || operation === 'delete');
    return isImpossible ? undefined : { operation, stream };
  }
  const original = stream.slice(METADATA_PREFIX.length);
  if (original.startsWith(METADATA_PREFIX)) return undefined; // Metadata has no metadata.
  if (operation === 'read') return { operation: 'metadataRead', stream: original };
  if (operation === 'write') return { operation: 'metadataWrite', stream: original };
  return undefined;
};

const METADATA_PREFIX = '$$';

/** Whether `caller` has access: the stream's ACL precedes `$settings`, which precedes the built-in one. */
export const mayAccess = (
  caller: Caller,
  { operation, stream }: RequiredAccess,
  { acl, defaults, anonymousAccess }: AclRules,
): boolean => {
  if (isAdmin(caller)) return true;
  const kind = stream.startsWith('$') ? 'system' : 'user';
  const ofStream = acl[operation] ?? (isProjected(stream) ? PROJECTED_ACL[operation] : undefined);
  const roles = ofStream ?? defaults[kind][operation] ?? BUILT_IN_ACLS[kind][operation];
  if (roles.includes(ROLE_ALL) && (caller.kind === 'user' || anonymousAccess)) return true;
  return roles.some((role) => hasRole(caller, role));
};
