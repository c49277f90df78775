import { type Erased, type Erasure, type ErasureTarget, requireErasure } from '@app/domain';
import { Actor, type ErasureId, type SessionId, type TenantId } from '@app/kernel';
import {
  type Clock,
  type DestroyedKeys,
  type ErasableKeys,
  type ErasedContent,
  type ErasurePlace,
  KeptError,
  type KeysToErase,
} from '@app/ports';
import type { SessionStore } from '../sessions/session-store.js';
import type { ErasureGuard, ErasureObstacle } from './erasure-guard.js';
import type { LedgerStore, LoadedLedger } from './ledger-store.js';

export type RunnerOfErasures = {
  readonly ledgers: LedgerStore;
  readonly keys: ErasableKeys;
  readonly sessions: SessionStore;
  readonly guard: ErasureGuard;
  readonly places: readonly ErasurePlace[];
  readonly clock: Clock;
};

/** Sessions that are told of an erasure at the same time. */
const TOLD_AT_ONCE = 8;
const SYSTEM = { actor: Actor('system') };

/**
 * Carries out erasures, in an order in which a crash at any point leaves one that can be carried out again:
 *
 * 1. Fences the content: no new keys are made for it, no hold or retention period is recorded for it. None that was recorded
 *    before forbids the erasure. Then destroys the keys.
 * 2. Every process drops its cached keys and sessions, after the work that uses them.
 * 3. Tells each session, so that decisions on earlier reads are repeated.
 * 4. Cleans every place that can hold content in clear.
 * 5. Records the receipt, and lets new keys be made.
 *
 * Several processes may carry out the same erasure: one that finds it completed behind its fence destroys nothing, since content
 * may have come back.
 */
export class ErasureRunner {
  constructor(private readonly parts: RunnerOfErasures) {}

  /** Returns the erasure as it is then: completed, or deferred. One that is neither in progress nor deferred stays. */
  async carryOut(tenant: TenantId, erasureId: ErasureId): Promise<Erasure> {
    return this.tryAgain(tenant, await this.current(tenant, erasureId));
  }

  private async current(tenant: TenantId, erasureId: ErasureId): Promise<Erasure> {
    return requireErasure((await this.parts.ledgers.load(tenant)).ledger, erasureId);
  }

  /** Like {@link carryOut}, for an erasure that has just been read. */
  async tryAgain(tenant: TenantId, erasure: Erasure): Promise<Erasure> {
    if (!isUnfinished(erasure)) return erasure;
    const { ledgers, keys, clock } = this.parts;
    const { erasureId, target } = erasure;
    const order = orderOf(tenant, erasure);
    let obstacle = await this.obstacleOf(tenant, erasure);
    if (!obstacle) {
      await keys.fence(order);
      const fenced = await this.current(tenant, erasureId);
      if (!isUnfinished(fenced)) {
        await keys.release(tenant, erasureId);
        return fenced;
      }
      obstacle = await this.obstacleOf(tenant, erasure);
    }
    if (obstacle) return this.deferred(tenant, erasure, obstacle);
    const startedAt = performance.now();
    const destroyed = await keys.destroy(order).catch((error: unknown) => {
      if (error instanceof KeptError) return error;
      throw error;
    });
    if (destroyed instanceof KeptError) {
      const { because, until } = destroyed;
      return this.deferred(tenant, erasure, { because, until });
    }
    if (!destroyed) return this.carryOut(tenant, erasureId);
    const places = await this.clean(order, target, destroyed.sessions);
    const after = await ledgers.record(
      tenant,
      ({ erasures }) =>
        erasures.get(erasureId)?.state === 'completed'
          ? undefined
          : {
              type: 'ErasureCompleted',
              data: {
                erasureId,
                target,
                keys: destroyed.keys,
                ...(destroyed.tenantKey !== undefined && { tenantKey: destroyed.tenantKey }),
                counts: { keys: destroyed.count, sessions: destroyed.sessions.length, places },
                durationMs: Math.round(performance.now() - startedAt),
                completedAt: clock.now(),
              },
            },
      SYSTEM,
    );
    await keys.release(tenant, erasureId);
    await this.carriedOut(tenant, after);
    return requireErasure(after.ledger, erasureId);
  }

  private async deferred(tenant: TenantId, erasure: Erasure, obstacle: ErasureObstacle): Promise<Erasure> {
    const { ledgers, keys, clock } = this.parts;
    const { erasureId, deferred: before } = erasure;
    await keys.release(tenant, erasureId);
    if (before?.because === obstacle.because && before.until === obstacle.until) return erasure;
    const event = {
      type: 'ErasureDeferred',
      data: { erasureId, ...obstacle, deferredAt: clock.now() },
    } as const;
    const { ledger } = await ledgers.record(
      tenant,
      (now) => (isUnfinished(requireErasure(now, erasureId)) ? event : undefined),
      SYSTEM,
    );
    const recorded = requireErasure(ledger, erasureId);
    if (obstacle.session === undefined) return recorded;
    // What ended before this was recorded has tried the erasures again that it knew of.
    const remaining = await this.obstacleOf(tenant, recorded);
    return remaining?.because === obstacle.because ? recorded : this.tryAgain(tenant, recorded);
  }

  private obstacleOf(tenant: TenantId, { target }: Erasure): Promise<ErasureObstacle | undefined> {
    const sessions = target.scope === 'session' ? { sessions: [target.session] } : {};
    return this.parts.guard({ tenant, target, ...sessions });
  }

  /** Finishes erasures that a crash interrupted or that an older backup lacks. */
  async resume(): Promise<void> {
    for await (const { tenant, behind, open } of unfinished(this.parts.ledgers, this.parts.keys)) {
      for (const erasure of behind)
        if (erasure.completed) await this.cleanAgain(tenant, erasure, erasure.completed);
      for (const { erasureId } of open) await this.carryOut(tenant, erasureId);
      await this.carriedOut(tenant, await this.parts.ledgers.load(tenant));
    }
  }

  private async cleanAgain(
    tenant: TenantId,
    erasure: Erasure,
    completed: Pick<DestroyedKeys, 'keys' | 'tenantKey'>,
  ): Promise<void> {
    const order = orderOf(tenant, erasure);
    await this.parts.keys.destroyAgain(order, completed);
    const { sessions } = await this.parts.keys.destroyed(tenant, erasure.erasureId);
    await this.clean(order, erasure.target, sessions);
    await this.parts.keys.release(tenant, erasure.erasureId);
  }

  /** Returns the number of removed items by place. */
  private async clean(
    { tenant, erased, subject }: KeysToErase,
    target: ErasureTarget,
    sessions: readonly SessionId[],
  ): Promise<Readonly<Record<string, number>>> {
    const { keys, places } = this.parts;
    await keys.evict();
    const descriptions: SessionId[] = [];
    await inGroups(sessions, async (session) => {
      if (await this.tell(tenant, session, erased, subject)) descriptions.push(session);
    });
    const content: ErasedContent = { tenant, target, sessions, descriptions };
    const counts = new Map<string, number>();
    for (const place of places) counts.set(place.name, await place.erase(content));
    return Object.fromEntries(counts);
  }

  /** Returns whether the description of the session is erased. */
  private async tell(
    tenant: TenantId,
    session: SessionId,
    erased: Erased,
    subject: KeysToErase['subject'],
  ): Promise<boolean> {
    const ref = { tenant, session };
    const { state } = await this.parts.sessions.reload(ref);
    if (state.status !== 'open') return false; // Its key was made for an append that failed.
    const data = { sessionId: session, ...erased, ...(subject !== undefined && { subject }) };
    const { state: after } = await this.parts.sessions.execute(ref, { type: 'EraseContent', data }, SYSTEM);
    return after.status === 'open' && after.description.erased !== undefined;
  }

  /** Notes how far this database has come, unless an erasure before is still in progress. */
  private async carriedOut(tenant: TenantId, { ledger, revision }: LoadedLedger): Promise<void> {
    const isOpen = [...ledger.erasures.values()].some(({ state }) => state === 'in-progress');
    if (revision !== undefined && !isOpen) await this.parts.keys.carriedOut(tenant, revision);
  }
}

const isUnfinished = ({ state }: Erasure): boolean => state === 'in-progress' || state === 'deferred';

const orderOf = (tenant: TenantId, erasure: Erasure): KeysToErase => {
  const { erasureId, target, requestedBy, requestedAt } = erasure;
  const { scope } = target;
  return {
    tenant,
    erasure: erasureId,
    scope,
    ...(scope === 'session' && { session: target.session }),
    ...(scope === 'subject' && { subject: target.subject }),
    erased: { by: requestedBy, at: requestedAt, erasure: erasureId, scope },
  };
};

const inGroups = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  for (let at = 0; at < items.length; at += TOLD_AT_ONCE)
    await Promise.all(items.slice(at, at + TOLD_AT_ONCE).map(act));
};

/**
 * Destroys the keys of completed erasures again that an older backup has brought back. To be done before any key is used.
 */
export const replayErasures = async (ledgers: LedgerStore, keys: ErasableKeys): Promise<void> => {
  for await (const { tenant, behind } of unfinished(ledgers, keys))
    for (const erasure of behind)
      if (erasure.completed) await keys.destroyAgain(orderOf(tenant, erasure), erasure.completed);
};

/** Erasures that are completed in the ledger and not known to this database, and those in progress. */
async function* unfinished(ledgers: LedgerStore, keys: ErasableKeys) {
  for (const { tenant, revision } of await keys.ledgers()) {
    const loaded = await ledgers.load(tenant);
    if (loaded.revision === undefined || loaded.revision === revision) continue;
    const all = [...loaded.ledger.erasures.values()];
    const isBehind = ({ erasureId }: Erasure): boolean =>
      (loaded.completedAt.get(erasureId) ?? -1) > (revision ?? -1);
    yield {
      tenant,
      behind: all.filter(isBehind),
      open: all.filter(({ state }) => state === 'in-progress'),
    };
  }
}
