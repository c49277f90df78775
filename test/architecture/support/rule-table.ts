import { posix } from 'node:path';
import { tableText } from '../../support/testing/table.js';
import { sectionsOf } from './markdown.js';

/** A test with its file (from the root) and title. */
export type NamedTest = { readonly file: string; readonly title: string };
/** A row of the page; `name` is its first cell, such as `5.17` or `case 3`. */
export type Rule = {
  readonly name: string;
  readonly section: string;
  readonly number: number;
  readonly says: string;
};

const ROW = /^\| ((?:(\d+)\.|case )(\d+)) +\| (.*?) *\| (.*?) *\|$/;

/** Returns the rules of the page in the order of its tables, which are in sections of the second level. */
export const rulesIn = (text: string): readonly Rule[] =>
  sectionsOf(text, 2).flatMap(({ body }) => body.split('\n').flatMap(ruleIn));

const ruleIn = (line: string): readonly Rule[] => {
  const [, name = '', section = 'cases', number = '', says = ''] = ROW.exec(line) ?? [];
  return name === '' ? [] : [{ name, section, number: Number(number), says }];
};

/** Returns table lines that are neither a rule nor a header. */
export const strayRowsIn = (text: string): readonly string[] =>
  sectionsOf(text, 2)
    .flatMap(({ body }) => body.split('\n'))
    .filter((line) => line.startsWith('|') && !ROW.test(line) && !/^\| (?:no\.|-+) /.test(line));

/** Returns the page with the last column of each table filled with the tests that cover its rules. */
export const withTests = (
  text: string,
  page: string,
  testsOf: (rule: string) => readonly NamedTest[],
): string =>
  text.replace(/^\|.*(?:\n\|.*)*/gm, (table) => {
    const [head = ''] = table.split('\n');
    const rows = table
      .split('\n')
      .flatMap(ruleIn)
      .map(({ name, says }) => [name, says, testsOf(name).map(linkFrom(page)).join('; ')]);
    return tableText([
      head
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
      ...rows,
    ]);
  });

const linkFrom =
  (page: string) =>
  ({ file, title }: NamedTest): string =>
    `[\`${posix.basename(file)}\`](${posix.relative(posix.dirname(page), file)}) “${title.replaceAll('|', '\\|')}”`;
