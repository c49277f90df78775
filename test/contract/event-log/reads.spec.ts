import { Revision } from '@app/kernel';
import type { Recorded } from '@app/ports';
import { messageEvent, openedEvent, textMessage } from '@app/testing';
import { collect } from './support/collect.js';
import { LOGS, newStream, record, useLog } from './support/logs.js';

const session = (count: number) => [
  openedEvent(),
  ...Array.from({ length: count - 1 }, (_, n) => messageEvent(textMessage(`m${n}`, `${n}`))),
];
const revisions = async (events: AsyncIterable<Recorded>) =>
  (await collect(events)).map(({ revision }) => revision);

describe.each(LOGS)('reads of %s', (_, open) => {
  const current = useLog(open);
  const stream = newStream();
  beforeAll(() => record(current(), stream, session(10)));

  it.each([
    [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ from: Revision(7) }, [7, 8, 9]],
    [{ from: Revision(7), limit: 2 }, [7, 8]],
    [{ limit: 1 }, [0]],
    [{ limit: 0 }, []],
    [{ from: Revision(10) }, []],
  ])('return events forwards with %j', async (range, expected) => {
    expect(await revisions(current().log.readForwards(stream, range))).toEqual(expected);
  });

  it.each([
    [{}, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    [{ from: Revision(2) }, [2, 1, 0]],
    [{ from: Revision(7), limit: 2 }, [7, 6]],
    [{ limit: 1 }, [9]],
    [{ limit: 0 }, []],
    [{ from: Revision(0), limit: 5 }, [0]],
    [{ from: Revision(12), limit: 2 }, [9, 8]],
  ])('return events backwards with %j', async (range, expected) => {
    expect(await revisions(current().log.readBackwards(stream, range))).toEqual(expected);
  });

  it('yield nothing for a missing stream', async () => {
    expect(await revisions(current().log.readForwards(newStream()))).toEqual([]);
    expect(await revisions(current().log.readBackwards(newStream()))).toEqual([]);
  });

  // A regression test: such a read was a cancelled call, too. A reader beside it shows that the connection lasts.
  it('of a missing stream can be repeated thousands of times', async () => {
    const { log, subscriptions } = current();
    const followed = newStream();
    const from = await subscriptions.head();
    const reader = (async () => {
      for await (const item of subscriptions.catchUp(from, new AbortController().signal))
        if (item.kind === 'event' && item.recorded.stream === followed) return 'reached';
      return 'ended';
    })();
    const missing = newStream();
    for (let round = 0; round < 150; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => collect(log.readForwards(missing))));
    await record(current(), followed, session(1));
    expect(await reader).toBe('reached');
  });

  it('can be repeated, and abandoned at any event', async () => {
    const long = newStream();
    await record(current(), long, session(1_000));
    for (const count of [1, 2, 500, 999]) {
      expect(await collect(current().log.readForwards(long), count)).toHaveLength(count);
      expect(await collect(current().log.readBackwards(long), count)).toHaveLength(count);
    }
    expect(await collect(current().log.readForwards(long))).toHaveLength(1_000);
  });

  // A regression test: each abandoned read was a cancelled call, and after a thousand the server closed the
  // connection.
  it('can be abandoned at the first event thousands of times', async () => {
    for (let round = 0; round < 150; round += 1) {
      const ways = Array.from({ length: 10 }, () => [
        current().log.readBackwards(stream),
        current().log.readBackwards(stream, { limit: 1 }),
        current().log.readForwards(stream, { limit: 5 }),
      ]);
      const found = await Promise.all(ways.flat().map((way) => collect(way, 1)));
      expect(found.every(({ length }) => length === 1)).toBe(true);
    }
  });
});

describe.each(LOGS)('close of %s', (_, open) => {
  it('resolves despite abandoned reads and subscriptions', async () => {
    const opened = await open();
    const stream = newStream();
    const from = await opened.subscriptions.head();
    await record(opened, stream, session(1_000));
    const forever = new AbortController().signal;
    const half = [
      opened.log.readForwards(stream),
      opened.log.readBackwards(stream),
      opened.subscriptions.catchUp(from, forever),
      opened.subscriptions.durable(`closing-${stream}`, ['MessageAppended'], forever),
    ];
    for (const items of half) expect(await collect<unknown>(items, 1)).toHaveLength(1);
    await opened.close();
  });
});
