import { SessionId, sessionStream, TenantId } from '@app/kernel';
import { jest } from '@jest/globals';
import { WriterQueues } from '../writer-queues.js';

const STREAM = sessionStream(TenantId('acme'), SessionId('shared'));

describe('a queue of writers', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

  /** Writers that enter at once and work for these milliseconds; returns the largest number that worked together. */
  const together = async (works: readonly number[]): Promise<number> => {
    const queues = new WriterQueues();
    let [working, most] = [0, 0];
    const all = works.map(async (ms) => {
      const leave = await queues.enter(STREAM);
      working += 1;
      most = Math.max(most, working);
      await delay(ms);
      working -= 1;
      leave();
    });
    await jest.advanceTimersByTimeAsync(works.reduce((sum, ms) => sum + ms, 0));
    await Promise.all(all);
    expect(queues.has(STREAM)).toBe(false);
    return most;
  };

  it('lets one work at a time, also where the last waits for longer than one may work', async () => {
    expect(await together(Array.from({ length: 16 }, () => 500))).toBe(1);
  });

  it('goes on beside a writer that hangs', async () => {
    expect(await together([30_000, 500, 500])).toBe(2);
  });
});
