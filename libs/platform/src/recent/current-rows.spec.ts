import { Moment } from '@app/application';
import { LogPosition, readsStream, SessionId, sessionStream, TenantId } from '@app/kernel';
import type { Projector, ReadModels } from '@app/ports';
import { currentRows } from './current-rows.js';
import { RecentEvents } from './recent-events.js';

const acme = TenantId('acme');
const other = TenantId('other');
const never = (_: unknown, signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('rows of a service whose projector stands still', () => {
  const recent = new RecentEvents();
  let reached: Projector['reached'] = never;
  const answered = async () => ({ items: [], next: null });
  const rows = currentRows(
    {
      sessionPage: answered,
      tenants: answered,
      auditReads: async () => [],
    } as Partial<ReadModels> as ReadModels,
    {
      recent,
      projector: { reached: (...asked) => reached(...asked) },
      subscriptions: { head: async () => LogPosition(7n) },
    },
    20,
  );
  const codeOf = (reading: Promise<unknown>): Promise<unknown> =>
    reading.then(
      () => 'answered',
      ({ code }) => code,
    );

  it('are refused to the tenant that has written, and to the operator’s list of all', async () => {
    recent.note(sessionStream(acme, SessionId('s')));
    expect(await codeOf(rows.sessionPage({ tenant: acme, limit: 1 }))).toBe('projection-behind');
    expect(await codeOf(rows.tenants({ limit: 1 }))).toBe('projection-behind');
    expect(await codeOf(rows.sessionPage({ tenant: other, limit: 1 }))).toBe('answered');
    expect(await codeOf(rows.auditReads({ tenant: acme, limit: 1 }))).toBe('answered');
  });

  it('are refused to a reader of reads alone after a recorded read', async () => {
    recent.note(readsStream(other));
    expect(await codeOf(rows.auditReads({ tenant: other, limit: 1 }))).toBe('projection-behind');
    expect(await codeOf(rows.sessionPage({ tenant: other, limit: 1 }))).toBe('answered');
  });

  it('are read without another wait by the later reads of one moment, whatever the tenant writes meanwhile', async () => {
    const writer = TenantId('writer');
    const page = () => codeOf(rows.sessionPage({ tenant: writer, limit: 1 }));
    recent.note(sessionStream(writer, SessionId('s')));
    const moment = new Moment();
    expect(await moment.run(page)).toBe('projection-behind');
    reached = async () => {};
    expect(await moment.run(page)).toBe('answered');
    reached = never;
    recent.note(sessionStream(writer, SessionId('s')));
    expect([await moment.run(page), await page()]).toEqual(['answered', 'projection-behind']);
  });
});
