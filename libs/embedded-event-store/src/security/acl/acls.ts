import { isJsonObject, type JsonObject, ownMember, parseJsonObject } from '@app/kernel';
import { metadataStreamOf } from '../../log/stream-head.js';
import type { Acl, DefaultAcls, StreamOperation } from './acl.js';

/** Source of the ACLs of streams. */
export interface Acls {
  of(stream: string): Acl;
  defaults(): DefaultAcls;
}

type NewestEvents = {
  head(stream: string): { readonly last: number } | undefined;
  eventOf(stream: string, revision: number): { readonly data: Uint8Array } | undefined;
};

/** Returns ACLs from the log: the newest event of `$$stream`, and of `$settings`. */
export const aclsOf = (log: NewestEvents): Acls => {
  const newest = (stream: string): Uint8Array | undefined => {
    const head = log.head(stream);
    return head && log.eventOf(stream, head.last)?.data;
  };
  return {
    of: (stream) => {
      const data = newest(metadataStreamOf(stream));
      return data ? aclOfMetadata(data) : {};
    },
    defaults: () => {
      const data = newest('$settings');
      return data ? defaultAclsOf(data) : NO_DEFAULTS;
    },
  };
};

const NO_DEFAULTS: DefaultAcls = { user: {}, system: {} };

const KEYS: readonly (readonly [key: string, operation: StreamOperation])[] = [
  ['$r', 'read'],
  ['$w', 'write'],
  ['$d', 'delete'],
  ['$mr', 'metadataRead'],
  ['$mw', 'metadataWrite'],
];

/** Parses `$acl` of a stream's metadata; malformed JSON counts as empty. */
export const aclOfMetadata = (data: Uint8Array): Acl => aclOf(jsonOf(data).$acl);

/** Parses the newest event of `$settings`. */
export const defaultAclsOf = (data: Uint8Array): DefaultAcls => {
  const settings = jsonOf(data);
  return { user: aclOf(settings.$userStreamAcl), system: aclOf(settings.$systemStreamAcl) };
};

const aclOf = (value: unknown): Acl => {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    KEYS.flatMap(([key, operation]) => {
      const roles = ownMember(value, key) ?? undefined;
      return roles === undefined ? [] : [[operation, rolesOf(roles)]];
    }),
  );
};

/** Parses one role or a list. A malformed list admits administrators only: a mistake must not open a stream. */
const rolesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.filter((role): role is string => typeof role === 'string');
};

const jsonOf = (data: Uint8Array): JsonObject => parseJsonObject(Buffer.from(data).toString('utf8')) ?? {};
