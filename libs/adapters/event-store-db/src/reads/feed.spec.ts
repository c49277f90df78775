import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { Feed } from './feed.js';

/** A feed over a stream that the test writes to, as the client's transform does. */
const feedOver = (signal?: AbortSignal) => {
  const source = new PassThrough({ objectMode: true });
  let cancels = 0;
  const cancel = async (): Promise<void> => {
    cancels += 1;
  };
  const feed = new Feed<number>(source, cancel, signal);
  return { source, feed, cancels: () => cancels };
};
const show = async (feed: Feed<number>): Promise<string> => {
  const seen: string[] = [];
  for await (const batch of feed.batches()) seen.push(batch.join(' '));
  return seen.join('; ');
};

describe('the feed', () => {
  it('yields the items together that are available', async () => {
    const { source, feed } = feedOver();
    source.write(1);
    source.write(2);
    await yieldToLoop();
    const batches = feed.batches();
    expect(await batches.next()).toEqual({ done: false, value: [1, 2] });
    source.write(3);
    source.end();
    expect(await batches.next()).toEqual({ done: false, value: [3] });
    expect(await batches.next()).toEqual({ done: true, value: undefined });
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
