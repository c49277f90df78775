import { BoundedMap } from '../bounded-map.js';

describe('a bounded map', () => {
  const namesIn = (map: BoundedMap<string, number>, names: string): string =>
    [...names].filter((name) => map.has(name)).join('');

  it('keeps the entries that were set last', () => {
    const map = new BoundedMap<string, number>(3);
    for (const name of 'abcad') map.set(name, 0);
    expect(namesIn(map, 'abcd')).toBe('acd');
    map.delete('c');
    map.set('b', 0);
    expect(namesIn(map, 'abcd')).toBe('abd');
  });

  it('counts weights, and keeps the newest entry at any weight', () => {
    const map = new BoundedMap<string, number>(10, (weight) => weight);
    for (const [name, weight] of Object.entries({ a: 4, b: 4, c: 4 })) map.set(name, weight);
    expect(namesIn(map, 'abc')).toBe('bc');
    map.set('d', 11);
    expect(namesIn(map, 'abcd')).toBe('d');
    map.clear();
    map.set('e', 10);
    expect(namesIn(map, 'de')).toBe('e');
  });
});
