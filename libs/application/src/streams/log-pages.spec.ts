import { describe, expect, it } from '@jest/globals';
import { Gate } from './log-pages.js';

const { signal } = new AbortController();

describe('the concurrency gate', () => {
  it('admits callers in order up to its limit', async () => {
    const gate = new Gate(2, 60_000);
    const entered: number[] = [];
    const leaves = [1, 2, 3, 4].map((name) =>
      gate.enter(signal).then((leave) => {
        entered.push(name);
        return leave;
      }),
    );
    const [first, second] = [await leaves[0], await leaves[1]];
    expect(entered).toEqual([1, 2]);
    first?.();
    first?.(); // It has left already.
    await leaves[2];
    expect(entered).toEqual([1, 2, 3]);
    second?.();
    await leaves[3];
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it('admits the next caller after a time-out if none leaves', async () => {
    const gate = new Gate(1, 1);
    await gate.enter(signal);
    const leave = await gate.enter(signal);
    leave();
  });

  it('drops callers that are cancelled', async () => {
    const gate = new Gate(1, 60_000);
    const leave = await gate.enter(signal);
    const gone = new AbortController();
    const waiting = gate.enter(gone.signal);
    gone.abort();
    (await waiting)();
    leave();
    (await gate.enter(signal))();
  });
});
