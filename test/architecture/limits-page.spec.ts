import { LIMITS } from '@app/kernel';
import { expect, it } from '@jest/globals';
import { linesOf, textOf } from './support/project.js';

it('shows every limit on its page, with its number and its unit', () => {
  const rows = linesOf(textOf('docs/limits.md'))
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .slice(2);
  expect(rows.map(([, what, max, unit]) => [what, max, unit])).toEqual(
    Object.values(LIMITS).map(({ of, max, unit }) => [of, max.toLocaleString('en'), unit]),
  );
});
