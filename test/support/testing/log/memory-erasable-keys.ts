import { randomBytes } from 'node:crypto';
import type { ErasureTarget } from '@app/domain';
import {
  AppError,
  type ErasureId,
  type Revision,
  type SessionId,
  type SubjectRef,
  type TenantId,
} from '@app/kernel';
import type { DestroyedKeys, ErasableKeys, KeysToErase } from '@app/ports';

type Key = {
  readonly id: string;
  readonly tenant: TenantId;
  readonly session: SessionId;
  readonly subject: string;
  erasure?: ErasureId;
};

/** Keys of content that can be erased, in memory: it has the ids of keys, and calls an observer before any is destroyed. */
export class MemoryErasableKeys implements ErasableKeys {
  private readonly keys: Key[] = [];
  private readonly fences = new Map<ErasureId, KeysToErase>();
  private readonly revisions = new Map<TenantId, Revision>();

  constructor(private readonly onDestroy: (session: SessionId, subject: string) => void) {}

  /** Makes the keys for content of a session and a subject. */
  seal(tenant: TenantId, session: SessionId, subject: string): void {
    for (const one of new Set(['', subject]))
      if (!this.inUse(tenant).some((key) => key.session === session && key.subject === one))
        this.keys.push({ id: randomBytes(12).toString('base64url'), tenant, session, subject: one });
  }

  concerned = async (tenant: TenantId, target: ErasureTarget): Promise<readonly SessionId[]> => {
    if (target.scope === 'session') return [target.session];
    const all = this.inUse(tenant).filter(
      ({ subject }) => target.scope === 'tenant' || subject === target.subject,
    );
    return [...new Set(all.map(({ session }) => session))];
  };

  async subjectRefs(_: TenantId, names: readonly string[]): Promise<readonly SubjectRef[]> {
    return names.map((name) => name as SubjectRef);
  }

  async protecting<Result>(
    tenant: TenantId,
    session: SessionId,
    record: () => Promise<Result>,
  ): Promise<Result> {
    const keys = this.keys.filter((key) => key.tenant === tenant && key.session === session);
    for (const fence of this.fences.values())
      if (keys.some((key) => isConcerned(fence, key)))
        throw new AppError('erasure-in-progress', 'the content is being erased');
    return record();
  }

  async fence(order: KeysToErase): Promise<void> {
    this.fences.set(order.erasure, order);
  }

  async destroy(order: KeysToErase): Promise<DestroyedKeys | undefined> {
    if (!this.fences.has(order.erasure)) return undefined;
    for (const key of this.inUse(order.tenant))
      if (isConcerned(order, key)) {
        this.onDestroy(key.session, key.subject);
        key.erasure = order.erasure;
      }
    return this.destroyed(order.tenant, order.erasure);
  }

  async destroyed(tenant: TenantId, erasure: ErasureId): Promise<DestroyedKeys> {
    const all = this.keys.filter((key) => key.tenant === tenant && key.erasure === erasure);
    return {
      keys: all.map(({ id }) => id),
      count: all.length,
      sessions: [...new Set(all.map(({ session }) => session))],
    };
  }

  async destroyAgain({ erasure }: KeysToErase, { keys }: Pick<DestroyedKeys, 'keys'>): Promise<number> {
    const again = this.keys.filter((key) => key.erasure === undefined && keys.includes(key.id));
    for (const key of again) key.erasure = erasure;
    return again.length;
  }

  async evict(): Promise<void> {}
  onEvicted(): void {}

  async release(_: TenantId, erasure: ErasureId): Promise<void> {
    this.fences.delete(erasure);
  }

  async ledgers(): Promise<readonly { tenant: TenantId; revision: Revision | undefined }[]> {
    const tenants = new Set([...this.keys, ...this.fences.values()].map(({ tenant }) => tenant));
    return [...tenants].map((tenant) => ({ tenant, revision: this.revisions.get(tenant) }));
  }

  async carriedOut(tenant: TenantId, revision: Revision): Promise<void> {
    this.revisions.set(tenant, revision);
  }

  private inUse(tenant: TenantId): readonly Key[] {
    return this.keys.filter((key) => key.tenant === tenant && key.erasure === undefined);
  }
}

const isConcerned = ({ tenant, scope, session, subject }: KeysToErase, key: Key): boolean =>
  key.tenant === tenant &&
  (scope === 'tenant' || (scope === 'session' ? key.session === session : key.subject === subject));
