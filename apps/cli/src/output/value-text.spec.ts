import { IsoTime } from '@app/kernel';
import { ageText, countText, timeText } from './value-text.js';

describe('the age of a time', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  it.each([
    ['2026-11-23T12:00:30Z', 'now'],
    ['2026-11-23T11:59:01Z', 'now'],
    ['2026-11-23T11:59:00Z', '1 min'],
    ['2026-11-23T11:00:01Z', '59 min'],
    ['2026-11-23T11:00:00Z', '1 h'],
    ['2026-11-22T12:00:01Z', '23 h'],
    ['2026-11-22T12:00:00Z', '1 d'],
    ['2026-10-24T12:00:01Z', '29 d'],
    ['2026-10-24T12:00:00Z', '2026-10-24'],
  ])('of %s is %s', (time, text) => {
    expect(ageText(IsoTime(time), now)).toBe(text);
  });
});

describe('a count', () => {
  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [2, '2 rows'],
  ])('of %d has its noun in the right number', (count, text) => {
    expect(countText(count, 'row')).toBe(text);
  });

  it('takes an irregular plural', () => {
    expect(countText(2, 'entry', 'entries')).toBe('2 entries');
  });
});

it('prints a time to the second', () => {
  expect(timeText(IsoTime('2026-11-23T09:30:00.123Z'))).toBe('2026-11-23T09:30:00Z');
});
