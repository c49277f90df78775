import { writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { tableText } from '../support/testing/table.js';
import { filesUnder, place, textOf } from './support/project.js';

const FOLDER = 'docs/adr';
const PAGE = `${FOLDER}/README.md`;
const MARK = '<!-- Generated below this line: `UPDATE_ADR_INDEX=1 npm test -- adr-index` writes it. -->\n\n';
const HEAD = /^# (\d{4})\. (.+)\n\nStatus: (.+)\\\nDate: (\d{4}-\d\d-\d\d)\n/;

type Decision = Readonly<Record<'file' | 'number' | 'title' | 'status' | 'date', string>>;

const decisions = filesUnder(FOLDER)
  .map((path) => path.slice(FOLDER.length + 1))
  .filter((file) => file !== 'README.md')
  .map((file): Decision => {
    const [, number = '', title = '', status = '', date = ''] = HEAD.exec(textOf(`${FOLDER}/${file}`)) ?? [];
    return { file, number, title, status, date };
  });

it('numbers decisions without a gap, each with a title, a status and a date', () => {
  expect(decisions.map(({ number }) => Number(number))).toEqual(decisions.map((_, at) => at + 1));
  expect(decisions.filter(({ file, number }) => !file.startsWith(`${number}-`))).toEqual([]);
});

it('lists all decisions in the index', async () => {
  const [introduction = ''] = textOf(PAGE).split(MARK);
  const rows = decisions.map(({ file, number, title, status, date }) => [
    number,
    `[${title}](${file})`,
    status,
    date,
  ]);
  const page = `${introduction}${MARK}${tableText([['no.', 'decision', 'status', 'date'], ...rows])}\n`;
  if (process.env.UPDATE_ADR_INDEX === '1') await writeFile(place(PAGE), page);
  expect(textOf(PAGE)).toBe(page);
});
