import type { Erased, ErasureScope } from '@app/domain';
import type { ErasureId, IsoTime, Revision, SessionId, SubjectRef, TenantId } from '@app/kernel';

/** The keys that an erasure destroys, and its requester. */
export type KeysToErase = {
  readonly tenant: TenantId;
  readonly erasure: ErasureId;
  readonly scope: ErasureScope;
  /** For the scope `session`. */
  readonly session?: SessionId;
  /** For the scope `subject`. */
  readonly subject?: SubjectRef;
  readonly erased: Erased;
};

/** The keys of an erasure that are destroyed. */
export type DestroyedKeys = {
  /** Ids of the keys, which are in the events that they have sealed; for a whole tenant none. */
  readonly keys: readonly string[];
  /** The id of the tenant's key, for a whole tenant. */
  readonly tenantKey?: string;
  /** Number of keys. */
  readonly count: number;
  readonly sessions: readonly SessionId[];
};

/** The store refuses to destroy keys of a session that is kept in the mode `compliance`, independently of the log. */
export class KeptError extends Error {
  override readonly name = 'KeptError';

  constructor(
    readonly because: string,
    readonly until: IsoTime,
  ) {
    super(because);
  }
}

/**
 * Destroys keys of content, which makes that content unreadable in the log and in every copy of it.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface ErasableKeys {
  /** Returns the fingerprints of subjects by their names, which only this tenant's key leads to. */
  subjectRefs(tenant: TenantId, names: readonly string[]): Promise<readonly SubjectRef[]>;
  /**
   * Runs `record`, which records a hold or a retention period of a session: entirely before `fence` of an erasure of its content.
   *
   * @throws {AppError} `erasure-in-progress` after it, until `release`.
   */
  protecting<Result>(tenant: TenantId, session: SessionId, record: () => Promise<Result>): Promise<Result>;
  /** Refuses new keys, holds and retention periods for the content of an erasure until `release`. Idempotent. */
  fence(order: KeysToErase): Promise<void>;
  /**
   * Destroys the keys in use, behind the fence. May be repeated. Destroys nothing and resolves to `undefined` without the fence:
   * another process has ended the erasure, and content may have come back.
   *
   * @throws {KeptError} if one of the sessions is kept: all keys are as before.
   */
  destroy(order: KeysToErase): Promise<DestroyedKeys | undefined>;
  /** Returns the keys that an erasure has destroyed so far. */
  destroyed(tenant: TenantId, erasure: ErasureId): Promise<DestroyedKeys>;
  /** Destroys keys by their ids again, which an older backup has brought back. Returns how many there were. */
  destroyAgain(order: KeysToErase, destroyed: Pick<DestroyedKeys, 'keys' | 'tenantKey'>): Promise<number>;
  /** Drops all keys in memory, in every process; resolves when none has any left from before the call. */
  evict(): Promise<void>;
  /** Calls a listener in this process, and waits for it, before it reports that it has dropped its keys. */
  onEvicted(listener: () => void | Promise<void>): void;
  /** Allows new keys for the scope of an erasure again. */
  release(tenant: TenantId, erasure: ErasureId): Promise<void>;
  /** Returns the tenants with keys or fences, each with the revision of its ledger that is carried out; `undefined` for none. */
  ledgers(): Promise<readonly { readonly tenant: TenantId; readonly revision: Revision | undefined }[]>;
  carriedOut(tenant: TenantId, revision: Revision): Promise<void>;
}
