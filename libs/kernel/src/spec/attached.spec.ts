import { expect, it } from '@jest/globals';
import { Attached } from '../attached.js';

it('is made once for an object, and is no member of it to others', () => {
  const [names, others] = [new Attached<object, string>(), new Attached<object, string>()];
  const object = { a: 1 };
  const list = [1];
  expect(names.get(object)).toBeUndefined();
  expect(names.once(object, () => 'first')).toBe('first');
  expect(names.once(object, () => 'second')).toBe('first');
  names.set(object, 'third');
  names.set(list, 'a list');
  expect([names.get(object), names.get(list), names.get({ ...object })]).toEqual([
    'third',
    'a list',
    undefined,
  ]);
  expect(others.get(object)).toBeUndefined();
  expect([JSON.stringify(object), Object.keys(list), { ...object }]).toEqual(['{"a":1}', ['0'], { a: 1 }]);
  expect(object).toEqual({ a: 1 });
});

it('is not possible for a frozen object', () => {
  expect(() => new Attached<object, string>().set(Object.freeze({}), 'a')).toThrow(TypeError);
});
