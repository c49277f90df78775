import { expect, it } from '@jest/globals';
import { COMPLAINTS } from '../support/frameworks/complaints/complaints.js';
import { generatedTable } from './support/generated-table.js';

it('says of every complaint what its check expects', async () => {
  const { text, expected } = await generatedTable('docs/complaints.md', {
    variable: 'UPDATE_COMPLAINTS_PAGE',
    spec: 'complaints-page',
    rows: [['complaint', 'case'], ...COMPLAINTS.map(({ name, expected: holds }) => [name, holds])],
  });
  expect(text).toBe(expected);
});
