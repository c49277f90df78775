import { Actor, IsoTime, readsStream, SessionId, TenantId } from '@app/kernel';
import type { TenantLog } from '@app/ports';
import { openMemoryLog } from '@app/testing';
import { RecordContentRead, RecordContentReadHandler } from '../commands/tenants/record-reads.js';

const acme = TenantId('acme');
const read = {
  endpoint: 'GET /v1/sessions/:session/context',
  session: SessionId('s-1'),
  revisions: { from: 0, to: 9 },
  filters: {},
  reason: null,
};

const recorded = async (log: TenantLog): Promise<number> => {
  let count = 0;
  for await (const _ of log.readForwards(readsStream(acme))) count += 1;
  return count;
};

describe('a read of content', () => {
  let second = 0;
  const clock = { now: () => IsoTime(new Date(Date.UTC(2026, 0, 1, 0, 0, second))) };
  const by = (actor: string, changed: Partial<typeof read> = {}) =>
    new RecordContentRead(acme, { ...read, ...changed }, { actor: Actor(actor) });
  beforeEach(() => {
    second = 0;
  });

  it('is recorded once a minute when it is repeated', async () => {
    const { tenantLog } = openMemoryLog();
    const handler = new RecordContentReadHandler({ tenantLog, clock });
    for (second = 0; second < 60; second += 1) await handler.execute(by('key:a'));
    expect(await recorded(tenantLog)).toBe(1);
    await handler.execute(by('key:a'));
    expect(await recorded(tenantLog)).toBe(2);
  });

  it('is recorded again for another actor, another revision or another reason', async () => {
    const { tenantLog } = openMemoryLog();
    const handler = new RecordContentReadHandler({ tenantLog, clock });
    await handler.execute(by('key:a'));
    await handler.execute(by('key:b'));
    await handler.execute(by('key:a', { revisions: { from: 0, to: 10 } }));
    await handler.execute(by('key:a', { filters: { message: 'm-1' } }));
    expect(await recorded(tenantLog)).toBe(4);
  });

  it('is recorded again if the log rejected the first record', async () => {
    const { tenantLog } = openMemoryLog();
    let isAway = true;
    const log: TenantLog = {
      append: (...given) => (isAway ? Promise.reject(new Error('away')) : tenantLog.append(...given)),
      readForwards: (...given) => tenantLog.readForwards(...given),
      readBackwards: (...given) => tenantLog.readBackwards(...given),
    };
    const handler = new RecordContentReadHandler({ tenantLog: log, clock });
    await expect(handler.execute(by('key:a'))).rejects.toThrow('away');
    isAway = false;
    await handler.execute(by('key:a'));
    expect(await recorded(tenantLog)).toBe(1);
  });
});
