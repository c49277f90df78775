import { Metrics } from '@app/platform';
import { expect, it } from '@jest/globals';
import { generatedTable } from './support/generated-table.js';

it('lists every metric in the guide to operating, with labels and help', async () => {
  const rows = Object.values(new Metrics())
    .flatMap(definitionIn)
    .map(({ name, labelNames, help }) => [`\`${name}\``, labelNames.join(', '), help.replace(/\.$/, '')]);
  const { text, expected } = await generatedTable('docs/guides/operating.md', {
    variable: 'UPDATE_METRICS_TABLE',
    spec: 'metrics-table',
    rows: [['metric', 'labels', 'counts'], ...rows],
  });
  expect(rows.length).toBeGreaterThan(10);
  expect(text).toBe(expected);
});

type Definition = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
};

/** Returns the definition of a prom-client metric from members that its types do not declare. */
const definitionIn = (value: unknown): readonly Definition[] =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'help' in value &&
  typeof value.help === 'string' &&
  'labelNames' in value &&
  Array.isArray(value.labelNames)
    ? [{ name: value.name, help: value.help, labelNames: value.labelNames.map(String) }]
    : [];
