import { metadataStreamOf } from '../../log/stream-head.js';
import type { Acl, DefaultAcls } from './acl.js';
import { aclOfMetadata, defaultAclsOf } from './parse-acl.js';

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
