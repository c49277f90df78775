import { writeFile } from 'node:fs/promises';
import { Metrics } from '@app/platform';
import { expect, it } from '@jest/globals';
import { place, textOf } from './support/project.js';
import { tableText } from './support/table.js';

const PAGE = 'docs/guides/operating.md';
const MARK = '<!-- Generated table: `UPDATE_METRICS_TABLE=1 npm test -- metrics-table` writes it. -->\n\n';
const END = '\n<!-- End of the generated table. -->';

it('shows every metric in the guide to operating, with its labels and its help', async () => {
  const metrics = Object.values(new Metrics()).flatMap(definitionIn);
  const rows = metrics.map(({ name, labelNames, help }) => [
    `\`${name}\``,
    labelNames.join(', '),
    help.replace(/\.$/, ''),
  ]);
  const table = `${tableText([['metric', 'labels', 'counts'], ...rows])}\n`;
  const [before = '', generated = ''] = textOf(PAGE).split(MARK);
  const page = `${before}${MARK}${table}${generated.slice(generated.indexOf(END))}`;
  if (process.env.UPDATE_METRICS_TABLE === '1') await writeFile(place(PAGE), page);
  expect(rows.length).toBeGreaterThan(10);
  expect(textOf(PAGE)).toBe(page);
});

type Definition = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
};

/** The definition of a metric of prom-client, which keeps it in members that its types do not declare. */
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
