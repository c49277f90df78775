import { type Erasure, emptyLedger, foldLedger, type LedgerEvent } from '@app/domain';
import { Actor, ErasureId, IsoTime, TenantId } from '@app/kernel';
import { describe, expect, it } from '@jest/globals';
import { HeldBackErasures } from './held-back-erasures.js';

const IDS = ['era_one', 'era_two', 'era_three'].map((id) => ErasureId(id.padEnd(20, '0')));
const AT = IsoTime('2026-11-24T12:00:00.000Z');
const deferred = (erasureId: ErasureId): readonly LedgerEvent[] => [
  {
    type: 'ErasureRequested',
    data: {
      ...{ erasureId, target: { scope: 'tenant' }, reason: 'case 1' },
      ...{ requestedBy: Actor('key:one'), requestedAt: AT },
    },
  },
  { type: 'ErasureDeferred', data: { erasureId, because: 'a hold', deferredAt: AT } },
];

describe('deferred erasures', () => {
  it('are all tried again, though one of them fails', async () => {
    const ledger = foldLedger(emptyLedger, IDS.flatMap(deferred));
    const [first] = ledger.erasures.values();
    const tried: ErasureId[] = [];
    const carryOut = async (_: TenantId, erasureId: ErasureId): Promise<Erasure> => {
      tried.push(erasureId);
      if (erasureId === IDS[0] || !first) throw new Error('unreachable');
      return first;
    };
    const load = async () => ({ ledger, revision: undefined, completedAt: new Map() });
    const held = new HeldBackErasures({ load }, { carryOut }, { execute: async () => {} } as never);
    await expect(held.retry(TenantId('default'))).rejects.toThrow('unreachable');
    expect(tried).toEqual(IDS);
  });
});
