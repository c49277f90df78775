import { randomUUID } from 'node:crypto';
import { type LogPosition, SessionId, sessionStream, TenantId } from '@app/kernel';
import type { LogPage, LogScope } from '@app/ports';
import { messageEvent, openedEvent, textMessage } from '@app/testing';
import { LOGS, record, useLog } from './support/logs.js';

const session = (count: number) => [
  openedEvent(),
  ...Array.from({ length: count - 1 }, (_, n) => messageEvent(textMessage(`m${n}`, `${n}`))),
];
/** Unused, also on a server that earlier runs have written to. */
const newTenant = () => `t${randomUUID().replaceAll('-', '')}`;
const placesOf = ({ items }: LogPage) =>
  items.flatMap((item) =>
    item.kind === 'event' ? [`${item.recorded.stream}/${item.recorded.revision}`] : [],
  );

describe.each(LOGS)('pages of %s', (_, open) => {
  const current = useLog(open);
  const { signal } = new AbortController();
  const page = (after: LogPosition | 'start', scope: LogScope, limit = 100) =>
    current().subscriptions.page({ after, scope, limit }, signal);
  const write = (tenant: string, id: string, count: number) =>
    record(current(), sessionStream(TenantId(tenant), SessionId(id)), session(count));

  it('contain only events of the tenant or session, and reach the end of the log', async () => {
    const from = await current().subscriptions.head();
    const name = newTenant();
    const tenant = TenantId(name);
    await write(name, 'a', 2);
    await write(name, 'ab', 2);
    await write(`${name}2`, 'a', 2);
    await write(name.slice(0, -1), 'a', 2);
    const own = [`session-${name}.a/0`, `session-${name}.a/1`];
    const all = await page(from, { tenant });
    expect(placesOf(all)).toEqual([...own, `session-${name}.ab/0`, `session-${name}.ab/1`]);
    expect(all.isFull).toBe(false);
    expect(placesOf(await page(from, { tenant, session: SessionId('a') }))).toEqual(own);
    expect(await page(all.reached, { tenant })).toMatchObject({ items: [], isFull: false });
    expect(placesOf(await page('start', { tenant }))).toEqual(placesOf(all));
  });

  it.each([1, 2, 3, 5, 7])('contain every event once and in order, with %i per page', async (limit) => {
    const from = await current().subscriptions.head();
    const name = newTenant();
    const scope = { tenant: TenantId(name) };
    for (const id of ['one', 'two', 'three']) {
      await write(name, id, 4);
      await write('between', `${name}-${id}`, 3);
    }
    const seen: string[] = [];
    let place = from;
    for (;;) {
      const { reached, isFull, items } = await page(place, scope, limit);
      expect(items.length).toBeLessThanOrEqual(limit);
      seen.push(...placesOf({ items, reached, isFull }));
      place = reached;
      if (!isFull) break;
    }
    expect(seen).toEqual(
      ['one', 'two', 'three'].flatMap((id) => [0, 1, 2, 3].map((at) => `session-${name}.${id}/${at}`)),
    );
    expect((await page(place, scope, limit)).items).toEqual([]);
  });

  it('are not read after the last reader has left', async () => {
    const stopped = current().subscriptions.page(
      { after: 'start', scope: { tenant: TenantId(newTenant()) }, limit: 10 },
      AbortSignal.abort(new Error('gone')),
    );
    await expect(stopped).rejects.toThrow('gone');
  });
});
