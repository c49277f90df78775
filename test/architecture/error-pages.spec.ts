import { ERROR_CODES } from '@app/kernel';
import { expect, it } from '@jest/globals';
import { statusOf } from '../../apps/api/src/http/problems.js';
import { linksIn } from './support/markdown.js';
import { filesUnder, textOf } from './support/project.js';

const ERRORS = 'docs/errors';

const codes = (): readonly string[] => [...ERROR_CODES].sort();

const pages = (): readonly string[] =>
  filesUnder(ERRORS)
    .map((path) => path.slice(ERRORS.length + 1))
    .filter((name) => name !== 'README.md')
    .sort();

it('gives every error code a page, and every page a code', () => {
  expect(codes()).not.toHaveLength(0);
  expect(pages()).toEqual(codes().map((code) => `${code}.md`));
});

it('lists every page once', () => {
  const listed = linksIn(textOf(`${ERRORS}/README.md`)).filter((target) => /^[a-z-]+\.md$/.test(target));
  expect([...listed].sort()).toEqual(pages());
});

it.each(pages())('states on %s its code and its remedy', (page) => {
  const text = textOf(`${ERRORS}/${page}`);
  expect(text).toContain(`\`${page.replace(/\.md$/, '')}\``);
  expect(text).toContain('\n## What to do\n');
});

it('lists the HTTP status of every code, and repeats it on its page', () => {
  const rows = [...textOf(`${ERRORS}/README.md`).matchAll(/^- \[`([a-z-]+)`\]\([^)]+\)(?:, (\d+))?$/gm)];
  expect(rows).toHaveLength(codes().length);
  const faults = rows.filter(([, code = '', listed]) => {
    const known = ERROR_CODES.find((one) => one === code);
    const onPage = /^`[a-z-]+`, HTTP (\d+)/m.exec(textOf(`${ERRORS}/${code}.md`))?.[1];
    // Codes that HTTP never returns have no status.
    return onPage !== listed || (known && statusOf(known)) !== Number(listed ?? 500);
  });
  expect(faults.map(([row]) => row)).toEqual([]);
});
