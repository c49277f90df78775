import { Revision } from '@app/kernel';
import type { Delivery } from '@app/ports';
import { messageEvent, openedEvent, requestedEvent, textMessage } from '@app/testing';
import { collect } from './support/collect.js';
import { describeEmbedded, newStream, openRealLog, record, useLog } from './support/logs.js';

const GONE = { code: 'event-store-unavailable' };
const never = () => new AbortController().signal;

describeEmbedded('restart of the server', () => {
  const current = useLog(openRealLog);

  it('ends subscriptions with an error of the port, and redelivers unacknowledged events', async () => {
    const stream = newStream();
    await record(current(), stream, [openedEvent(), requestedEvent('cmp')]);
    const group = current().subscriptions.durable('restart', ['CompactionRequested'], never());
    const reader = current().subscriptions.catchUp('start', never());
    const deliveries = group[Symbol.asyncIterator]();
    const first = await deliveries.next();
    const delivered: Delivery | undefined = first.done ? undefined : first.value;
    expect(delivered?.recorded.stream).toBe(stream);
    const read = expect(collect(reader)).rejects.toMatchObject(GONE);
    const next = expect(deliveries.next()).rejects.toMatchObject(GONE);
    await current().restart();
    await Promise.all([read, next]);
    await delivered?.ack(); // Too late, but no error.

    const again = await collect(
      current().subscriptions.durable('restart', ['CompactionRequested'], never()),
      1,
    );
    expect(again.map(({ recorded }) => recorded.stream)).toEqual([stream]);
  });

  it('allows appends and reads afterwards', async () => {
    const stream = newStream();
    await record(current(), stream, [openedEvent()]);
    await current().restart();
    await record(current(), stream, [messageEvent(textMessage('m', 'after'))], Revision(0));
    expect(await collect(current().log.readBackwards(stream))).toHaveLength(2);
  });

  it('records an append that was in flight at most once', async () => {
    const streams = Array.from({ length: 30 }, newStream);
    const appends = streams.map((stream) => record(current(), stream, [openedEvent()]));
    await current().restart();
    const settled = await Promise.allSettled(appends);
    for (const [at, { status }] of settled.entries()) {
      const stream = streams[at] ?? newStream();
      const count = (await collect(current().log.readForwards(stream))).length;
      // An acknowledged append exists once; an unacknowledged one may exist.
      expect(status === 'fulfilled' ? count === 1 : count <= 1).toBe(true);
    }
  });
});
