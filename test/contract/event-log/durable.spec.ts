import { randomUUID } from 'node:crypto';
import type { StreamName } from '@app/kernel';
import type { Delivery } from '@app/ports';
import { openedEvent, requestedEvent } from '@app/testing';
import { collect } from './support/collect.js';
import { LOGS, newStream, type OpenLog, record, useLog } from './support/logs.js';

const never = () => new AbortController().signal;
const request = (log: OpenLog, stream: StreamName, ids: readonly string[]) =>
  record(log, stream, [openedEvent(), ...ids.map(requestedEvent)]);
const idOf = ({ recorded: { event } }: Delivery) =>
  event.type === 'CompactionRequested' ? event.data.compactionId : undefined;

/** Returns a consumer group for the requests of one stream. */
const groupFor = ({ subscriptions }: OpenLog, stream: StreamName) => {
  const name = `group-${randomUUID()}`;
  return async function* (signal: AbortSignal, held?: number): AsyncGenerator<Delivery> {
    for await (const delivery of subscriptions.durable(name, ['CompactionRequested'], signal, held)) {
      if (delivery.recorded.stream === stream) yield delivery;
      else await delivery.ack();
    }
  };
};

describe.each(LOGS)('durable subscription to %s', (_, open) => {
  const current = useLog(open);

  it('delivers old and new events of its types, and none again after acknowledgement', async () => {
    const stream = newStream();
    const group = groupFor(current(), stream);
    await request(current(), stream, ['one', 'two']);
    const seen: unknown[] = [];
    for await (const delivery of group(never())) {
      seen.push([idOf(delivery), delivery.retries]);
      await delivery.ack();
      if (seen.length === 2)
        await record(current(), stream, [requestedEvent('three')], delivery.recorded.revision);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([
      ['one', 0],
      ['two', 0],
      ['three', 0],
    ]);
  });

  it('redelivers on a retry, with the number of earlier deliveries', async () => {
    const stream = newStream();
    await request(current(), stream, ['one']);
    const retries: number[] = [];
    for await (const delivery of groupFor(current(), stream)(never())) {
      retries.push(delivery.retries);
      if (retries.length === 3) {
        await delivery.ack();
        break;
      }
      await delivery.retry('once more');
    }
    expect(retries).toEqual([0, 1, 2]);
  });

  it('does not redeliver parked events', async () => {
    const stream = newStream();
    await request(current(), stream, ['bad', 'good']);
    const seen: unknown[] = [];
    for await (const delivery of groupFor(current(), stream)(never())) {
      seen.push(idOf(delivery));
      if (idOf(delivery) === 'good') break;
      await delivery.park('no use');
    }
    expect(seen).toEqual(['bad', 'good']);
  });

  it('redelivers unanswered events to the next subscriber', async () => {
    const stream = newStream();
    const group = groupFor(current(), stream);
    await request(current(), stream, ['one']);
    const first = new AbortController();
    for await (const delivery of group(first.signal)) {
      expect(idOf(delivery)).toBe('one');
      first.abort();
    }
    const [again] = await collect(group(never()), 1);
    expect(again && idOf(again)).toBe('one');
    expect(again?.retries).toBe(1);
  });

  it('distributes events among subscribers, one at a time each', async () => {
    const stream = newStream();
    const group = groupFor(current(), stream);
    const ids = ['one', 'two', 'three', 'four', 'five', 'six'];
    await request(current(), stream, ids);
    const stop = new AbortController();
    const seen: unknown[] = [];
    const consume = async () => {
      for await (const delivery of group(stop.signal)) {
        seen.push(idOf(delivery));
        await delivery.ack();
        if (seen.length === ids.length) stop.abort();
      }
    };
    await Promise.all([consume(), consume()]);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('leaves a second event to others while the first is processed', async () => {
    const stream = newStream();
    const group = groupFor(current(), stream);
    await request(current(), stream, ['one', 'two']);
    const stop = new AbortController();
    const [busy, idle] = [group(stop.signal), group(stop.signal)];
    const first = await busy.next();
    const second = await idle.next();
    expect([first.value, second.value].map((delivery) => delivery && idOf(delivery))).toEqual(['one', 'two']);
    stop.abort();
    await Promise.all([busy.return(undefined), idle.return(undefined)]);
  });

  it('delivers up to the requested number at once, and redelivers the unanswered ones', async () => {
    const stream = newStream();
    await request(current(), stream, ['one', 'two', 'three']);
    const group = groupFor(current(), stream);
    const stop = new AbortController();
    const several = group(stop.signal, 2);
    const first = await several.next();
    const second = await several.next();
    expect([first.value, second.value].map((given) => given && idOf(given))).toEqual(['one', 'two']);
    const idle = group(never());
    expect(await idle.next()).toMatchObject({ value: { retries: 0 } });
    await idle.return(undefined);
    stop.abort();
    expect((await several.next()).done).toBe(true);
    const left = await collect(group(never(), 3), 3);
    expect(left.map(idOf).toSorted()).toEqual(['one', 'three', 'two']);
    expect(left.map(({ retries }) => retries)).toEqual([1, 1, 1]);
  });

  it('ends when the signal aborts: before it begins, and while it waits', async () => {
    const stream = newStream();
    const group = groupFor(current(), stream);
    expect(await collect(group(AbortSignal.abort()))).toEqual([]);
    await request(current(), stream, ['one']);
    const waiting = new AbortController();
    for await (const delivery of group(waiting.signal)) {
      await delivery.ack();
      setImmediate(() => waiting.abort());
    }
  });
});
