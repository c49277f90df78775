import { type Erasure, emptyLedger, foldLedger, type LedgerEvent } from '@app/domain';
import { Actor, ErasureId, IsoTime, SessionId, TenantId } from '@app/kernel';
import { describe, expect, it } from '@jest/globals';
import { ErasureRunner } from '../erasures/erasure-runner.js';
import type { LedgerStore } from '../erasures/ledger-store.js';
import { HeldBackErasures } from './held-back-erasures.js';

const IDS = ['era_one', 'era_two', 'era_three'].map((id) => ErasureId(id.padEnd(20, '0')));
const [FIRST = ErasureId('')] = IDS;
const AT = IsoTime('2026-11-24T12:00:00.000Z');
const deferred = (erasureId: ErasureId, session?: SessionId): readonly LedgerEvent[] => [
  {
    type: 'ErasureRequested',
    data: {
      ...{ erasureId, target: { scope: 'tenant' }, reason: 'case 1' },
      ...{ requestedBy: Actor('key:one'), requestedAt: AT },
    },
  },
  {
    type: 'ErasureDeferred',
    data: { erasureId, because: 'a hold', ...(session && { session }), deferredAt: AT },
  },
];

const DESTROYED = { keys: [], count: 0, sessions: [] };

describe('deferred erasures', () => {
  const [A, B] = [SessionId('a'), SessionId('b')];
  const retrying = (events: readonly LedgerEvent[], failing?: ErasureId) => {
    const ledger = foldLedger(emptyLedger, events);
    const tried: ErasureId[] = [];
    const tryAgain = async (_: TenantId, erasure: Erasure): Promise<Erasure> => {
      tried.push(erasure.erasureId);
      if (erasure.erasureId === failing) throw new Error('unreachable');
      return erasure;
    };
    const load = async () => ({ ledger, revision: undefined, completedAt: new Map() });
    const runner = { tryAgain, carryOut: async () => Promise.reject(new Error('no other is read again')) };
    const held = new HeldBackErasures({ load }, runner, { execute: async () => {} } as never);
    return { held, tried };
  };

  it('are all tried again, though one of them fails', async () => {
    const { held, tried } = retrying(
      IDS.flatMap((id) => deferred(id)),
      IDS[0],
    );
    await expect(held.retry(TenantId('default'))).rejects.toThrow('unreachable');
    expect(tried).toEqual(IDS);
  });

  it('are left alone where a session defers them that is not released, so that a release costs no more the more there are', async () => {
    const [one, two, three] = IDS.map((id, at) => deferred(id, [A, B, undefined][at]));
    const { held, tried } = retrying([one, two, three].flatMap((events) => events ?? []));
    await held.retry(TenantId('default'), new Set([B]));
    expect(tried).toEqual([IDS[1], IDS[2]]);
  });

  it('are tried again where their obstacle ends while it is recorded', async () => {
    let ledger = foldLedger(emptyLedger, deferred(FIRST).slice(0, 1));
    const obstacles = [
      { because: 'hold "one"', session: A },
      { because: 'hold "two"', session: B },
    ];
    const record: LedgerStore['record'] = async (_, decide) => {
      const event = decide(ledger);
      if (event) ledger = foldLedger(ledger, [event]);
      return { ledger, revision: undefined, completedAt: new Map() };
    };
    const load = () => record(TenantId('default'), () => undefined, { actor: Actor('me') });
    const done = async () => {};
    const runner = new ErasureRunner({
      ledgers: { load, record } as never,
      keys: { fence: done, release: done, evict: done, destroy: async () => DESTROYED } as never,
      sessions: {} as never,
      guard: async () => obstacles.shift(),
      places: [],
      clock: { now: () => AT },
    });
    expect(await runner.carryOut(TenantId('default'), FIRST)).toMatchObject({ state: 'completed' });
  });
});
