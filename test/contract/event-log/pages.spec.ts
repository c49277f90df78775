import { type LogPosition, SessionId, sessionStream, TenantId } from '@app/kernel';
import type { LogPage, LogScope } from '@app/ports';
import { messageEvent, openedEvent, textMessage } from '@app/testing';
import { LOGS, record, useLog } from './support/logs.js';

const session = (count: number) => [
  openedEvent(),
  ...Array.from({ length: count - 1 }, (_, n) => messageEvent(textMessage(`m${n}`, `${n}`))),
];
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
    const tenant = TenantId('scoped');
    await write('scoped', 'a', 2);
    await write('scoped', 'ab', 2);
    await write('scoped2', 'a', 2);
    await write('scope', 'a', 2);
    const own = ['session-scoped.a/0', 'session-scoped.a/1'];
    const head = await current().subscriptions.head();
    const all = await page(from, { tenant });
    expect(placesOf(all)).toEqual([...own, 'session-scoped.ab/0', 'session-scoped.ab/1']);
    expect(all).toMatchObject({ reached: head, isFull: false });
    expect(placesOf(await page(from, { tenant, session: SessionId('a') }))).toEqual(own);
    expect(await page(head, { tenant })).toEqual({ items: [], reached: head, isFull: false });
    expect(placesOf(await page('start', { tenant }))).toEqual(placesOf(all));
  });

  it.each([1, 2, 3, 5, 7])('contain every event once and in order, with %i per page', async (limit) => {
    const from = await current().subscriptions.head();
    const name = `paged${limit}`;
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
    expect(place).toBe(await current().subscriptions.head());
  });

  it('are not read after the last reader has left', async () => {
    const stopped = current().subscriptions.page(
      { after: 'start', scope: { tenant: TenantId('scoped') }, limit: 10 },
      AbortSignal.abort(new Error('gone')),
    );
    await expect(stopped).rejects.toThrow('gone');
  });
});
