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

/** A wish: an operation on a stream that is not itself the metadata of another one. */
export type Wish = { readonly operation: StreamOperation; readonly stream: string };

export type AclRules = {
  /** `$acl` of the stream's metadata. */
  readonly acl: Acl;
  readonly defaults: DefaultAcls;
  /** Whether `$all` includes who has not said who he is. In EventStoreDB it does not, since 23.10. */
  readonly anonymousAccess: boolean;
};

/**
 * What an operation on a stream comes down to: who reads or writes `$$x` reads or writes the metadata of `x`.
 * `undefined` where nobody may, not even an administrator: to delete metadata, to write to or delete `$all`.
 */
export const wishOf = (operation: StreamOperation, stream: string): Wish | undefined => {
  if (!stream.startsWith(METADATA_PREFIX)) {
    const isImpossible = stream === '$all' && (operation === 'write' || operation === 'delete');
    return isImpossible ? undefined : { operation, stream };
  }
  const original = stream.slice(METADATA_PREFIX.length);
  if (original.startsWith(METADATA_PREFIX)) return undefined; // Metadata have none of their own.
  if (operation === 'read') return { operation: 'metadataRead', stream: original };
  if (operation === 'write') return { operation: 'metadataWrite', stream: original };
  return undefined;
};

const METADATA_PREFIX = '$$';

/** Whether `caller` may do it: what the stream says wins over `$settings`, and that over what is built in. */
export const mayAccess = (
  caller: Caller,
  { operation, stream }: Wish,
  { acl, defaults, anonymousAccess }: AclRules,
): boolean => {
  if (isAdmin(caller)) return true;
  const kind = stream.startsWith('$') ? 'system' : 'user';
  const ofStream = acl[operation] ?? (isProjected(stream) ? PROJECTED_ACL[operation] : undefined);
  const roles = ofStream ?? defaults[kind][operation] ?? BUILT_IN_ACLS[kind][operation];
  if (roles.includes(ROLE_ALL) && (caller.kind === 'user' || anonymousAccess)) return true;
  return roles.some((role) => hasRole(caller, role));
};
