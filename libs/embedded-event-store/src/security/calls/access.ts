import type { Metadata } from '@grpc/grpc-js';
import type { StreamOperation } from '../acl/acl.js';
import type { Acls } from '../acl/acls.js';
import { ANONYMOUS, type Caller } from '../acl/caller.js';
import { mayAccess, wishOf } from '../acl/may-access.js';
import { accessDenied } from './failures.js';

/** As much of a call as says who makes it. */
type Call = { readonly metadata: Metadata };

/** What every handler of a call asks before it touches a stream. */
export interface Access {
  /** @throws {GrpcFailure} `access-denied` where the caller may not do that; `$all` is a stream to this. */
  demand(call: Call, operation: StreamOperation, stream: string): void;
  callerOf(metadata: Metadata): Caller;
}

/** Without TLS there are no users, and whoever gets through to the server may do everything. */
export const OPEN_ACCESS: Access = { demand: () => undefined, callerOf: () => ANONYMOUS };

/** Access by the rules that the log holds, for callers that the gate has let in. */
export class GuardedAccess implements Access {
  readonly #callers = new WeakMap<Metadata, Caller>();

  constructor(
    private readonly acls: Acls,
    private readonly anonymousAccess: boolean,
  ) {}

  /** Remembers who makes the call with this metadata, for as long as the call lasts. */
  admit(metadata: Metadata, caller: Caller): void {
    this.#callers.set(metadata, caller);
  }

  callerOf(metadata: Metadata): Caller {
    return this.#callers.get(metadata) ?? ANONYMOUS;
  }

  demand({ metadata }: Call, operation: StreamOperation, stream: string): void {
    const wish = wishOf(operation, stream);
    if (!wish) throw accessDenied();
    const rules = {
      acl: this.acls.of(wish.stream),
      defaults: this.acls.defaults(),
      anonymousAccess: this.anonymousAccess,
    };
    if (!mayAccess(this.callerOf(metadata), wish, rules)) throw accessDenied();
  }
}
