import { writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { tableText } from '../support/testing/table.js';
import { filesUnder, place, textOf } from './support/project.js';

const PAGE = 'docs/benchmarks.md';
const MARK =
  '<!-- Generated below this line from bench/results.json: `UPDATE_BENCHMARKS_PAGE=1 npm test -- benchmarks-page` writes it. -->\n\n';

const results = z
  .record(
    z.string(),
    z.strictObject({
      measured: z.iso.date(),
      isQuick: z.boolean(),
      node: z.string(),
      cores: z.int(),
      /** Programs of others that wanted to run when the benchmark began. */
      load: z.int().optional(),
      reports: z
        .array(
          z.strictObject({
            headline: z.string(),
            header: z.array(z.string()),
            rows: z.array(z.array(z.string())),
          }),
        )
        .min(1),
    }),
  )
  .parse(JSON.parse(textOf('bench/results.json')));

const benchmarks = filesUnder('bench')
  .map((path) => /^bench\/([\w-]+)\.bench\.ts$/.exec(path)?.[1] ?? '')
  .filter(Boolean);

/** Returns the doc comment of a benchmark, which describes the measurement. */
const describedIn = (name: string): string => {
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(textOf(`bench/${name}.bench.ts`)) ?? [];
  return comment.replace(/\s*\n \*\s*/g, ' ').trim();
};

const sectionOf = (name: string): string => {
  const result = results[name];
  const head = `## ${name}\n\n${describedIn(name)}\n\n`;
  if (!result) return `${head}Not recorded.\n`;
  const load = result.load === undefined ? '' : `, beside a load of ${result.load}`;
  const how = `Measured on ${result.measured}${result.isQuick ? ', quick' : ''}: Node ${result.node}, ${result.cores} cores${load}.`;
  const tables = result.reports.map(
    ({ headline, header, rows }) =>
      `**${headline.slice(headline.indexOf(':') + 2)}**\n\n${tableText([header, ...rows])}\n`,
  );
  return `${head}${how}\n\n${tables.join('\n')}`;
};

it('has results of benchmarks that exist', () => {
  expect(Object.keys(results).filter((name) => !benchmarks.includes(name))).toEqual([]);
});

it('shows the recorded result of each benchmark, and no other figure', async () => {
  const [introduction = ''] = textOf(PAGE).split(MARK);
  const page = `${introduction}${MARK}${benchmarks.map(sectionOf).join('\n')}`;
  if (process.env.UPDATE_BENCHMARKS_PAGE === '1') await writeFile(place(PAGE), page);
  expect(textOf(PAGE)).toBe(page);
});
