import { sharedAnswers } from './shared-answers.js';

describe('shared queries', () => {
  it('share one query among callers that waited when it started', async () => {
    const asked: ((answer: string) => void)[] = [];
    const answered = sharedAnswers(() => new Promise<string>((answer) => asked.push(answer)));
    const first = [answered(), answered()];
    await Promise.resolve();
    const second = [answered(), answered(), answered()];
    expect(asked).toHaveLength(1);
    asked[0]?.('one');
    expect(await Promise.all(first)).toEqual(['one', 'one']);
    while (asked.length < 2) await Promise.resolve();
    asked[1]?.('two');
    expect(await Promise.all(second)).toEqual(['two', 'two', 'two']);
    expect(asked).toHaveLength(2);
  });

  it('reject all its callers if the query fails, and query again for the next caller', async () => {
    let count = 0;
    const answered = sharedAnswers(async () => {
      count += 1;
      if (count === 1) throw new Error('gone');
      return count;
    });
    await expect(answered()).rejects.toThrow('gone');
    expect(await answered()).toBe(2);
  });
});
