import { parseLine } from './parse-line.js';

const parsed = (text: string) =>
  parseLine({ number: 4, text }).map((entry) => (entry.kind === 'record' ? entry.value : entry.reason));

describe('a line', () => {
  it('yields one record', () =>
    expect(parseLine({ number: 4, text: '{"a":1}' })).toEqual([
      { kind: 'record', line: 4, value: { a: 1 } },
    ]));
  it('yields nothing if it is blank', () => expect(parsed(' \t')).toEqual([]));
  it('yields two records if it contains two', () => {
    expect(parsed('{"a":"}{"}{"b":"\\"{"}')).toEqual([{ a: '}{' }, { b: '"{' }]);
    expect(parsed('{"a":1} \0 {"b":{"c":2}}\0')).toEqual([{ a: 1 }, { b: { c: 2 } }]);
  });
  it('yields the recoverable records and one skip', () =>
    expect(parsed('{"a":1}{"b":{"c"')).toEqual([{ a: 1 }, 'is whole JSON only in its first part']));
  it('yields one skip if nothing is recoverable', () =>
    expect(parsed('{"a":{"b":1}')).toEqual(['is not whole JSON']));
  it('is not recovered from the part before a stray brace', () =>
    expect(parsed('{"a":1},"b":2}')).toEqual(['is not whole JSON']));
  it('is read between runs of NUL', () => expect(parsed('\0\0{"a":1}\0')).toEqual([{ a: 1 }]));
  it('is skipped if it contains only NUL', () => expect(parsed('\0\0')).toEqual(['holds only NUL']));
  it('keeps the reason why it has no text', () =>
    expect(parseLine({ number: 2, text: undefined, reason: 'is not UTF-8' })).toEqual([
      { kind: 'skipped', line: 2, reason: 'is not UTF-8' },
    ]));
  it('may contain very many records', () => expect(parsed('{"a":1}'.repeat(200_000))).toHaveLength(200_000));
});
