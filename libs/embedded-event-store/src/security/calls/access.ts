import { Attached } from '@app/kernel';
import type { Metadata } from '@grpc/grpc-js';
import type { StreamOperation } from '../acl/acl.js';
import type { Acls } from '../acl/acls.js';
import { ANONYMOUS, type Caller } from '../acl/caller.js';
import { mayAccess, requiredAccess } from '../acl/may-access.js';
import { accessDenied } from './failures.js';

/** The part of a call that identifies the caller. */
type Call = { readonly metadata: Metadata };

/** Access checks for handlers, before they use a stream. */
export interface Access {
  /** @throws {GrpcFailure} `access-denied` if the caller lacks access; `$all` counts as a stream. */
  demand(call: Call, operation: StreamOperation, stream: string): void;
  callerOf(metadata: Metadata): Caller;
}

/** Without TLS there are no users, and every client has full access. */
export const OPEN_ACCESS: Access = { demand: () => undefined, callerOf: () => ANONYMOUS };

/** Access by the ACLs of the log, for callers that the gate has authenticated. */
export class GuardedAccess implements Access {
  readonly #callers = new Attached<Metadata, Caller>();

  constructor(
    private readonly acls: Acls,
    private readonly anonymousAccess: boolean,
  ) {}

  /** Remembers the caller of the call with this metadata during the call. */
  admit(metadata: Metadata, caller: Caller): void {
    this.#callers.set(metadata, caller);
  }

  callerOf(metadata: Metadata): Caller {
    return this.#callers.get(metadata) ?? ANONYMOUS;
  }

  demand({ metadata }: Call, operation: StreamOperation, stream: string): void {
    const required = requiredAccess(operation, stream);
    if (!required) throw accessDenied();
    const rules = {
      acl: this.acls.of(required.stream),
      defaults: this.acls.defaults(),
      anonymousAccess: this.anonymousAccess,
    };
    if (!mayAccess(this.callerOf(metadata), required, rules)) throw accessDenied();
  }
}
