import { nearestOf } from '../nearest.js';

describe('the nearest name', () => {
  it.each([
    ['sesion', 'session'],
    ['Session', 'session'],
    ['widnow', 'window'],
    ['modle', 'model'],
    ['timeout', undefined],
    ['x', undefined],
    ['s'.repeat(41), undefined],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestOf(name, ['session', 'window', 'model'])).toBe(nearest);
  });
});
