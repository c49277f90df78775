import fc from 'fast-check';
import {
  Actor,
  AppError,
  CompactionId,
  canonicalJson,
  InvariantViolation,
  IsoTime,
  invariant,
  MessageId,
  Revision,
  SessionId,
  sessionOf,
  sessionStream,
  sumTokens,
  TenantId,
  Tokens,
} from '../index.js';

describe('an id', () => {
  it.each([
    ['tenant', TenantId, ['t1', 'T_9', 'x'.repeat(64)], ['', 'a-b', 'a.b', 'x'.repeat(65)]],
    ['session', SessionId, ['s', '_x', 'a.b:c-d', 'x'.repeat(128)], ['', '-a', '.a', 'a b', 'x'.repeat(129)]],
    ['message', MessageId, ['m', '!~', 'x'.repeat(200)], ['', 'a b', 'é', 'x'.repeat(201)]],
    ['compaction', CompactionId, ['c', 'a-b_c', 'x'.repeat(64)], ['', 'a.b', 'x'.repeat(65)]],
    ['actor', Actor, ['system', 'key:1', 'x'.repeat(128)], ['', 'a b', 'x'.repeat(129)]],
  ])('of a %s accepts only allowed characters', (_, make, good, bad) => {
    for (const value of good) expect(make(value)).toBe(value);
    for (const value of bad) expect(() => make(value)).toThrow(AppError);
  });

  it('of a stream parses into its tenant and its session', () => {
    const stream = sessionStream(TenantId('t_1'), SessionId('a.b-c:d'));
    expect(stream).toBe('session-t_1.a.b-c:d');
    expect(sessionOf(stream)).toEqual({ tenant: 't_1', session: 'a.b-c:d' });
    expect(sessionOf('tenant-t_1')).toBeUndefined();
    expect(sessionOf('$ce-session')).toBeUndefined();
  });
});

describe('a unit', () => {
  it('is a non-negative integer', () => {
    for (const make of [Tokens, Revision]) {
      expect(make(0)).toBe(0);
      for (const value of [-1, 0.5, Number.NaN, 2 ** 53])
        expect(() => make(value)).toThrow(InvariantViolation);
    }
    expect(sumTokens([1, 2, 3])).toBe(6);
  });
  it('of time is UTC with milliseconds', () => {
    expect(IsoTime('2026-11-21T05:00:00+01:00')).toBe('2026-11-21T04:00:00.000Z');
    expect(() => IsoTime('yesterday')).toThrow(InvariantViolation);
  });
  it('throws on invalid input instead of repairing it', () =>
    expect(() => invariant(0, 'nothing')).toThrow('nothing'));
});

describe('canonical JSON', () => {
  const ordered = (value: unknown): unknown => JSON.parse(canonicalJson(value));

  it('is independent of key order', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: undefined }], a: 'x' })).toBe('{"a":"x","b":[1,{"d":2}]}');
    expect(canonicalJson({ a: 'x', b: [1, { d: 2 }] })).toBe('{"a":"x","b":[1,{"d":2}]}');
  });
  it('has the value of the JSON text', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        expect(ordered(value)).toEqual(JSON.parse(JSON.stringify(value))),
      ),
      { seed: 31 },
    ));
});
