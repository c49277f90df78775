import { ERROR_CODES } from '@app/kernel';
import { expect, it } from '@jest/globals';
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

it.each(pages())('says on %s which code it is about, and what to do', (page) => {
  const text = textOf(`${ERRORS}/${page}`);
  expect(text).toContain(`\`${page.replace(/\.md$/, '')}\``);
  expect(text).toContain('\n## What to do\n');
});
