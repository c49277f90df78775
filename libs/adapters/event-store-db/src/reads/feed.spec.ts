import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { Feed } from './feed.js';

type Checkpoint = { readonly kind: string; readonly at: number };

/** A feed over a stream that the test writes to, as the client's transform does. */
const feedOver = (signal?: AbortSignal) => {
  const source = new PassThrough({ objectMode: true });
  let cancels = 0;
  const cancel = async (): Promise<void> => {
    cancels += 1;
  };
  const feed = new Feed<number, Checkpoint>(source, cancel, signal);
  return { source, feed, cancels: () => cancels };
};
const show = async (feed: Feed<number, Checkpoint>): Promise<string> => {
  const seen: string[] = [];
  for await (const next of feed.itemsAndMarks()) {
    seen.push('mark' in next ? `${next.mark.kind}${next.mark.at}` : `${next.item}`);
  }
  return seen.join(' ');
};

describe('the feed', () => {
  it('yields a mark after items received before it and before later items', async () => {
    const { source, feed } = feedOver();
    source.write(1);
    source.write(2);
    feed.mark({ kind: 'c', at: 2 });
    source.write(3);
    feed.mark({ kind: 'c', at: 3 });
    source.end();
    expect(await show(feed)).toBe('1 2 c2 3 c3');
  });

  it('merges consecutive marks, so that marks for a slow reader do not accumulate', async () => {
    const { source, feed } = feedOver();
    source.write(1);
    await yieldToLoop();
    for (let at = 0; at < 10_000; at += 1) feed.mark({ kind: 'c', at });
    feed.mark({ kind: 'end', at: 1 });
    source.end();
    expect(await show(feed)).toBe('1 c9999 end1');
  });

  it('stops reading from its source when its buffer is full', async () => {
    const { source, feed } = feedOver();
    let written = 0;
    while (source.write(written) && written < 10_000) {
      written += 1;
      await yieldToLoop();
    }
    expect(written).toBeLessThan(1_000);
    source.end();
    expect((await show(feed)).split(' ').length).toBe(written + 1);
  });

  it('yields all items received before an error, then throws the error', async () => {
    const { source, feed } = feedOver();
    source.write(1);
    await yieldToLoop();
    source.emit('error', new Error('gone'));
    const items = feed.items();
    expect(await items.next()).toEqual({ done: false, value: 1 });
    await expect(items.next()).rejects.toThrow('gone');
  });

  it.each(['read to its end', 'left early', 'aborted', 'broken'])(
    'removes its listeners and cancels its call: %s',
    async (how) => {
      const stop = new AbortController();
      const { source, feed, cancels } = feedOver(stop.signal);
      expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
      source.write(1);
      const items = feed.items();
      await items.next();
      if (how === 'read to its end') source.end();
      if (how === 'aborted') stop.abort();
      if (how === 'broken') source.emit('error', new Error('gone'));
      if (how === 'left early') await items.return();
      else await items.next().catch(() => undefined);
      expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
      expect(cancels()).toBeGreaterThan(0);
    },
  );

  it('ends at once if the signal is already aborted', async () => {
    const { source, feed } = feedOver(AbortSignal.abort());
    source.write(1);
    expect(await show(feed)).toBe('');
  });
});
