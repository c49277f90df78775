import { randomUUID } from 'node:crypto';
import type { TenantEvent } from '@app/domain';
import { Revision, readsStream, TenantId, tenantStream } from '@app/kernel';
import type { LogItem, StoredEvent } from '@app/ports';
import { openedEvent } from '@app/testing';
import { collect } from './support/collect.js';
import { context, LOGS, newStream, record, useLog } from './support/logs.js';

const newTenant = () => TenantId(randomUUID().replaceAll('-', ''));
const registered = (tenantId: TenantId): TenantEvent => ({
  type: 'TenantRegistered',
  data: { tenantId, name: 'Acme' },
});
const read: TenantEvent = { type: 'AuditRead', data: { endpoint: 'GET /v1/audit', filters: {}, rows: 1 } };
const asNew = (event: TenantEvent, id = randomUUID()) => ({ id, event });
const never = () => new AbortController().signal;
const typesUpToEnd = async (items: AsyncIterable<LogItem<StoredEvent>>): Promise<string[]> => {
  const types: string[] = [];
  for await (const item of items) {
    if (item.kind === 'caught-up') break;
    if (item.kind === 'event') types.push(item.recorded.event.type);
  }
  return types;
};

describe.each(LOGS)('tenant events in %s', (_, open) => {
  const current = useLog(open);

  it('are restored as recorded', async () => {
    const tenant = newTenant();
    const { tenantLog } = current();
    const event = registered(tenant);
    await tenantLog.append(tenantStream(tenant), 'no-stream', [asNew(event)], context);
    const [recorded] = await collect(tenantLog.readForwards(tenantStream(tenant)));
    expect(recorded).toMatchObject({ event, context, revision: 0, stream: tenantStream(tenant) });
  });

  it('are recorded once each at any revision if none is expected', async () => {
    const stream = readsStream(newTenant());
    const { tenantLog } = current();
    const repeated = asNew(read);
    await tenantLog.append(stream, 'any', [repeated], context);
    await tenantLog.append(stream, 'any', [repeated], context);
    expect(await tenantLog.append(stream, 'any', [asNew(read)], context)).toBe(Revision(1));
    expect(await collect(tenantLog.readForwards(stream))).toHaveLength(2);
  });

  it('are delivered only to subscriptions that request them', async () => {
    const from = await current().subscriptions.head();
    const tenant = newTenant();
    const { tenantLog, subscriptions } = current();
    await tenantLog.append(tenantStream(tenant), 'no-stream', [asNew(registered(tenant))], context);
    await record(current(), newStream(), [openedEvent()]);
    await tenantLog.append(readsStream(tenant), 'any', [asNew(read)], context);
    const all = ['TenantRegistered', 'SessionOpened', 'AuditRead'];
    expect(await typesUpToEnd(subscriptions.catchUpAll(from, never()))).toEqual(all);
    expect(await typesUpToEnd(subscriptions.catchUpTenants(from, never()))).toEqual(['TenantRegistered']);
    expect(await typesUpToEnd(subscriptions.catchUp(from, never()))).toEqual(['SessionOpened']);
  });
});
