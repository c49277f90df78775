import { jest } from '@jest/globals';
import { SilenceWatch } from './silence-watch.js';

describe('SilenceWatch', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A query without an answer, which ends when it is cut. */
  const silentQuery = () => {
    const cut = jest.fn<() => void>();
    const query = new Promise<never>((_, reject) => {
      cut.mockImplementation(() => reject(new Error('Connection terminated')));
    });
    return { query, cut };
  };

  it('cuts a query of a silent server once', async () => {
    const watch = new SilenceWatch(async () => false);
    const { query, cut } = silentQuery();
    const rejected = expect(watch.during(query, cut)).rejects.toThrow('Connection terminated');
    await jest.advanceTimersByTimeAsync(60_000);
    await rejected;
    expect(cut).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('lets a slow query go on while the server answers others, and cuts it when that ends', async () => {
    let isThere = true;
    const watch = new SilenceWatch(async () => isThere);
    const { query, cut } = silentQuery();
    const rejected = expect(watch.during(query, cut)).rejects.toThrow();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(cut).not.toHaveBeenCalled();
    isThere = false;
    await jest.advanceTimersByTimeAsync(60_000);
    await rejected;
  });

  it('does not cut a query that is answered while the server is asked', async () => {
    const watch = new SilenceWatch(() => new Promise((resolve) => setTimeout(() => resolve(false), 10_000)));
    const cut = jest.fn();
    const query = new Promise((resolve) => setTimeout(() => resolve('rows'), 12_000));
    const answered = expect(watch.during(query, cut)).resolves.toBe('rows');
    await jest.advanceTimersByTimeAsync(60_000);
    await answered;
    expect(cut).not.toHaveBeenCalled();
  });

  it('asks once for all queries that are silent at the same time', async () => {
    const isThere = jest.fn(() => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1_000)));
    const watch = new SilenceWatch(isThere);
    const ends = [silentQuery(), silentQuery()].map(({ query, cut }) =>
      expect(watch.during(query, cut)).rejects.toThrow(),
    );
    await jest.advanceTimersByTimeAsync(60_000);
    await Promise.all(ends);
    expect(isThere).toHaveBeenCalledTimes(1);
  });
});
