import { outlineOf } from '../outline.js';

const LONG = 'a'.repeat(10_000);

describe('the outline of a value', () => {
  it('is short for values of any size', () =>
    expect(outlineOf({ type: 'text', text: LONG }).length).toBeLessThan(100));

  it.each([
    ['a length', { text: LONG }, { text: `${LONG}a` }],
    ['an end', { text: `${LONG}b` }, { text: `${LONG}c` }],
    ['a name', { a: 1 }, { b: 1 }],
    ['a member', { a: 1 }, { a: 1, b: null }],
    ['a list', [1, 2], [[1], 2]],
    ['a short text', { a: { b: { c: 'go' } } }, { a: { b: { c: 'on' } } }],
  ])('distinguishes values that differ in %s', (_, one, other) =>
    expect(outlineOf(one)).not.toBe(outlineOf(other)),
  );
});
