import { parseLine } from './parse-line.js';

const parsed = (text: string) =>
  parseLine({ number: 4, text }).map((entry) => (entry.kind === 'record' ? entry.value : entry.reason));

describe('a line', () => {
  it('is one record', () =>
    expect(parseLine({ number: 4, text: '{"a":1}' })).toEqual([
      { kind: 'record', line: 4, value: { a: 1 } },
    ]));
  it('is nothing where it is blank', () => expect(parsed(' \t')).toEqual([]));
  it('is two records where two were written on it', () => {
    expect(parsed('{"a":"}{"}{"b":"\\"{"}')).toEqual([{ a: '}{' }, { b: '"{' }]);
    expect(parsed('{"a":1} \0 {"b":{"c":2}}\0')).toEqual([{ a: 1 }, { b: { c: 2 } }]);
  });
  it('is the records that can be saved, and one skip', () =>
    expect(parsed('{"a":1}{"b":{"c"')).toEqual([{ a: 1 }, 'is whole JSON only in its first part']));
  it('is one skip where nothing can be saved', () =>
    expect(parsed('{"a":{"b":1}')).toEqual(['is not whole JSON']));
  it('is not taken for the part before a stray brace', () =>
    expect(parsed('{"a":1},"b":2}')).toEqual(['is not whole JSON']));
  it('is read between runs of NUL', () => expect(parsed('\0\0{"a":1}\0')).toEqual([{ a: 1 }]));
  it('is skipped where it holds only NUL', () => expect(parsed('\0\0')).toEqual(['holds only NUL']));
  it('keeps the reason why it has no text', () =>
    expect(parseLine({ number: 2, text: undefined, reason: 'is not UTF-8' })).toEqual([
      { kind: 'skipped', line: 2, reason: 'is not UTF-8' },
    ]));
  it('may hold a great many records', () => expect(parsed('{"a":1}'.repeat(200_000))).toHaveLength(200_000));
});
