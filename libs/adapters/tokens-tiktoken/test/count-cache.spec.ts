import { CountCache } from '../src/count-cache.js';

describe('the token count cache', () => {
  const entry = 'x'.repeat(36); // 100 with what every entry costs.
  const given = (...texts: string[]) => {
    const asked: string[] = [];
    const cache = new CountCache(200);
    const ask = (text: string): number => cache.through(text, (fresh) => asked.push(fresh) && fresh.length);
    for (const text of texts) ask(text);
    asked.length = 0;
    return { ask, asked };
  };

  it('returns a cached count without counting', () => {
    const { ask, asked } = given(`a${entry.slice(1)}`);
    expect(ask(`a${entry.slice(1)}`)).toBe(36);
    expect(asked).toEqual([]);
  });

  it('evicts the least recently used text', () => {
    const named = (first: string): string => first + entry.slice(1);
    const [a, b, c] = [named('a'), named('b'), named('c')];
    const { ask, asked } = given(a, b, a, c);
    ask(a);
    expect(asked).toEqual([]);
    ask(b);
    expect(asked).toEqual([b]);
  });

  it('does not store a text larger than its capacity', () => {
    const large = 'y'.repeat(201);
    const { ask, asked } = given(large);
    ask(large);
    expect(asked).toEqual([large]);
  });
});
