import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from '@jest/globals';
import { anchorsOf, linksIn } from './support/markdown.js';
import { filesUnder, place, textOf } from './support/project.js';

const pages = filesUnder('.').filter((path) => path.endsWith('.md'));

/** Returns the fault of a link; `undefined` if its target exists or is external. */
const faultOf = (page: string, target: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path = '', anchor] = decodeURIComponent(target).split('#');
  const file = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path));
  if (path.startsWith('/') || file.startsWith('..') || !existsSync(place(file))) return `no file ${file}`;
  if (anchor === undefined || !file.endsWith('.md')) return undefined;
  return anchorsOf(textOf(file)).has(anchor) ? undefined : `no heading #${anchor} in ${file}`;
};

it('finds the pages of the project', () => {
  expect(pages).toContain('README.md');
});

it.each(pages)('resolves every link of %s', (page) => {
  const faults = linksIn(textOf(page)).flatMap((target) => faultOf(page, target) ?? []);
  expect(faults).toEqual([]);
});

/** A repository path in backticks, such as `libs/domain/src/`. */
const PLACE = /`((?:apps|bench|docs|libs|migrations|ops|prompts|samples|scripts|test)\/[\w./-]*)`/g;

it.each(['CONTRIBUTING.md', 'docs/architecture.md'])('names only existing paths in %s', (page) => {
  const places = [...textOf(page).matchAll(PLACE)].map(([, path = '']) => path);
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((path) => !existsSync(place(path)))).toEqual([]);
});
