import { writeFile } from 'node:fs/promises';
import { ERROR_CODES, type ErrorCode } from '@app/kernel';
import { expect, it } from '@jest/globals';
import { httpStatusOf } from '../../apps/api/src/http/problems.js';
import { filesUnder, place, textOf } from './support/project.js';

const ERRORS = 'docs/errors';
const INDEX = `${ERRORS}/README.md`;
const MARK =
  '<!-- Generated below this line: `UPDATE_ERROR_PAGES=1 npm test -- error-pages` writes it. -->\n\n';

const codes = [...ERROR_CODES].sort();
const pageOf = (code: ErrorCode): string => `${ERRORS}/${code}.md`;
const titleOf = (code: ErrorCode): string => /^# (.+)\n/.exec(textOf(pageOf(code)))?.[1] ?? '';

/** Third line of a page: the code, and its HTTP status. */
const headOf = (code: ErrorCode): string => {
  const status = httpStatusOf(code);
  return `\`${code}\`, ${status === undefined ? 'command line' : `HTTP ${status}`}.`;
};

const update = process.env.UPDATE_ERROR_PAGES === '1';

it('gives every error code a page, and every page a code', () => {
  const pages = filesUnder(ERRORS).filter((path) => path !== INDEX);
  expect([...pages].sort()).toEqual(codes.map(pageOf));
});

it.each(codes)('states on the page of %s its code, its HTTP status and its remedy', async (code) => {
  const lines = textOf(pageOf(code)).split('\n');
  const page = [...lines.slice(0, 2), headOf(code), ...lines.slice(3)].join('\n');
  if (update) await writeFile(place(pageOf(code)), page);
  expect(textOf(pageOf(code))).toBe(page);
  expect(titleOf(code)).not.toBe('');
  expect(page).toMatch(/\n## Remedy\n\n- /);
});

it('lists every code with its HTTP status and title', async () => {
  const [introduction = ''] = textOf(INDEX).split(MARK);
  const rows = codes.map((code) => {
    const status = httpStatusOf(code);
    return `- [\`${code}\`](${code}.md)${status === undefined ? '' : `, ${status}`}: ${titleOf(code)}\n`;
  });
  const page = `${introduction}${MARK}${rows.join('')}`;
  if (update) await writeFile(place(INDEX), page);
  expect(textOf(INDEX)).toBe(page);
});
