import { randomUUID } from 'node:crypto';
import { emptyLedger, foldLedger, isLedgerEvent, type Ledger, type LedgerEvent } from '@app/domain';
import { AppError, type ErasureId, erasuresStream, type Revision, type TenantId } from '@app/kernel';
import { ConflictError, type TenantLog } from '@app/ports';
import type { Caller } from '../sessions/session-store.js';
import { WriterQueues } from '../sessions/writer-queues.js';

/** Maximum attempts after conflicts; each conflict means progress of another writer. */
const TRIES = 50;

export type LoadedLedger = {
  readonly ledger: Ledger;
  readonly revision: Revision | undefined;
  /** The revision at which each completed erasure was completed; absent for one that was just recorded. */
  readonly completedAt: ReadonlyMap<ErasureId, Revision>;
};

type Decide = (ledger: Ledger) => LedgerEvent | undefined;

/** The erasure ledgers of tenants. All of their events are recorded here. */
export class LedgerStore {
  private readonly queues = new WriterQueues();

  constructor(private readonly log: TenantLog) {}

  async load(tenant: TenantId): Promise<LoadedLedger> {
    const events: LedgerEvent[] = [];
    const completedAt = new Map<ErasureId, Revision>();
    let revision: Revision | undefined;
    for await (const recorded of this.log.readForwards(erasuresStream(tenant))) {
      if (isLedgerEvent(recorded.event)) events.push(recorded.event);
      if (recorded.event.type === 'ErasureCompleted')
        completedAt.set(recorded.event.data.erasureId, recorded.revision);
      revision = recorded.revision;
    }
    return { ledger: foldLedger(emptyLedger, events), revision, completedAt };
  }

  /** Appends the decided events to the ledger; decides again after a conflict. Appends nothing without a decision. */
  record(tenant: TenantId, decide: Decide, caller: Caller): Promise<LoadedLedger> {
    return this.queues.during(erasuresStream(tenant), (afterConflict) =>
      this.tryToRecord(tenant, decide, caller, afterConflict),
    );
  }

  private async tryToRecord(
    tenant: TenantId,
    decide: Decide,
    { actor, causationId }: Caller,
    afterConflict: () => Promise<void>,
  ): Promise<LoadedLedger> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.load(tenant);
      const event = decide(before.ledger);
      if (!event) return before;
      const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
      const news = [{ id: randomUUID(), event }];
      try {
        const revision = await this.log.append(
          erasuresStream(tenant),
          before.revision ?? 'no-stream',
          news,
          context,
        );
        return { ...before, ledger: foldLedger(before.ledger, [event]), revision };
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        if (attempt < TRIES) {
          await afterConflict();
          continue;
        }
        const message = `the erasures of tenant "${tenant}" have too many concurrent writers: try again`;
        throw new AppError('concurrency-conflict', message, { cause: error });
      }
    }
  }
}
