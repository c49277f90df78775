/** What somebody may want to do with a stream; `$acl` has a list of roles for each. */
export const STREAM_OPERATIONS = ['read', 'write', 'delete', 'metadataRead', 'metadataWrite'] as const;
export type StreamOperation = (typeof STREAM_OPERATIONS)[number];

/** Who may do what: names of users and of groups, or `$all`. An operation that is not there has its default. */
export type Acl = { readonly [Operation in StreamOperation]?: readonly string[] };

/** The defaults that the stream `$settings` may change, for streams of users and for those of the system. */
export type DefaultAcls = { readonly user: Acl; readonly system: Acl };

/** Everybody. */
export const ROLE_ALL = '$all';
/** May do whatever can be done. */
export const ROLE_ADMINS = '$admins';
/** May run the server: persistent subscriptions, projections. */
export const ROLE_OPERATIONS = '$ops';

const forEvery = (role: string): Required<Acl> => ({
  read: [role],
  write: [role],
  delete: [role],
  metadataRead: [role],
  metadataWrite: [role],
});

/**
 * What the stream of a system projection says, where its metadata does not: EventStoreDB's projections write it there.
 * Links lead to events whatever the list of their own stream says, there as here.
 */
export const PROJECTED_ACL: Acl = { read: [ROLE_ALL], metadataRead: [ROLE_ALL] };

/** Whether system projections write the stream. */
export const isProjected = (stream: string): boolean =>
  stream === '$streams' || PROJECTED_PREFIXES.some((prefix) => stream.startsWith(prefix));
const PROJECTED_PREFIXES = ['$ce-', '$et-', '$bc-', '$category-'];

/** What holds where neither the stream nor `$settings` says anything. */
export const BUILT_IN_ACLS = { user: forEvery(ROLE_ALL), system: forEvery(ROLE_ADMINS) } as const;
