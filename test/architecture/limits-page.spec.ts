import { LIMITS } from '@app/kernel';
import { expect, it } from '@jest/globals';
import { generatedTable } from './support/generated-table.js';

it('lists every limit with its number and unit', async () => {
  const rows = Object.values(LIMITS).map(({ of, max, unit }) => [of, max.toLocaleString('en'), unit]);
  const { text, expected } = await generatedTable('docs/limits.md', {
    variable: 'UPDATE_LIMITS_TABLE',
    spec: 'limits-page',
    rows: [['limit', 'maximum', 'unit'], ...rows],
  });
  expect(rows).not.toHaveLength(0);
  expect(text).toBe(expected);
});
