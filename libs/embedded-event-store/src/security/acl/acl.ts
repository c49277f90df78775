/** Stream operations; `$acl` has a list of roles for each. */
export const STREAM_OPERATIONS = ['read', 'write', 'delete', 'metadataRead', 'metadataWrite'] as const;
export type StreamOperation = (typeof STREAM_OPERATIONS)[number];

/** Roles per operation: names of users and groups, or `$all`. Missing operations have their defaults. */
export type Acl = { readonly [Operation in StreamOperation]?: readonly string[] };

/** The defaults from the stream `$settings`, for user streams and system streams. */
export type DefaultAcls = { readonly user: Acl; readonly system: Acl };

/** Every user. */
export const ROLE_ALL = '$all';
/** Has full access. */
export const ROLE_ADMINS = '$admins';
/** May operate the server: persistent subscriptions, projections. */
export const ROLE_OPERATIONS = '$ops';

const forEvery = (role: string): Required<Acl> => ({
  read: [role],
  write: [role],
  delete: [role],
  metadataRead: [role],
  metadataWrite: [role],
});

/**
 * The ACL of a system projection's stream without one in its metadata, as EventStoreDB's projections write it. In
 * both servers links resolve to events whatever the ACL of those streams.
 */
export const PROJECTED_ACL: Acl = { read: [ROLE_ALL], metadataRead: [ROLE_ALL] };

/** Whether a system projection writes the stream. */
export const isProjected = (stream: string): boolean =>
  stream === '$streams' || PROJECTED_PREFIXES.some((prefix) => stream.startsWith(prefix));
const PROJECTED_PREFIXES = ['$ce-', '$et-', '$bc-', '$category-'];

/** The ACLs if neither the stream nor `$settings` has one. */
export const BUILT_IN_ACLS = { user: forEvery(ROLE_ALL), system: forEvery(ROLE_ADMINS) } as const;
