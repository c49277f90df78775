import { posix } from 'node:path';
import { sectionsOf } from './markdown.js';

/** A test that a row of the table names: its file by its path from the root, and its title or how that begins. */
export type NamedTest = { readonly file: string; readonly title: string };
/** A rule by its section and number, or a case of the section `cases`. */
export type Rule = {
  readonly section: string;
  readonly number: number;
  readonly says: string;
  readonly tests: readonly NamedTest[];
};

const ROW = /^\| (?:(\d+)\.|case )(\d+) +\| (.*?) *\| (.*?) *\|$/;
const NAMED = /\[`[^`]+`\]\(([^)]+)\) “([^”]+)”/g;

/** The rules of a page, in the order of its tables, which stand under headings of the second level. */
export const rulesIn = (text: string, page: string): readonly Rule[] =>
  sectionsOf(text, 2).flatMap(({ body }) =>
    body.split('\n').flatMap((line): Rule[] => {
      const row = ROW.exec(line);
      if (!row) return [];
      const [, section = 'cases', number = '', says = '', tests = ''] = row;
      return [{ section, number: Number(number), says, tests: testsIn(tests, page) }];
    }),
  );

const testsIn = (cell: string, page: string): readonly NamedTest[] =>
  [...cell.matchAll(NAMED)].map(([, link = '', title = '']) => ({
    file: posix.normalize(posix.join(posix.dirname(page), link)),
    title,
  }));

/** The lines of the tables that say nothing: neither a rule nor the head of a table. */
export const strayRowsIn = (text: string): readonly string[] =>
  sectionsOf(text, 2)
    .flatMap(({ body }) => body.split('\n'))
    .filter((line) => line.startsWith('|') && !ROW.test(line) && !/^\| (?:no\.|-+) /.test(line));
