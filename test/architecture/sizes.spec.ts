import { expect, it } from '@jest/globals';
import { longestFunctionsIn } from './support/functions.js';
import { filesUnder, linesOf, textOf } from './support/project.js';

const FUNCTION_LINES_MAX = 60;
const README_LINES_MAX = 130;

const sources = ['apps', 'libs'].flatMap(filesUnder).filter((path) => path.endsWith('.ts'));

it('finds the sources', () => {
  expect(sources).toContain('libs/kernel/src/errors.ts');
});

it(`has no function of more than ${FUNCTION_LINES_MAX} lines`, () => {
  const product = sources.filter((path) => !path.endsWith('.spec.ts'));
  const long = product.flatMap((path) =>
    longestFunctionsIn(textOf(path), FUNCTION_LINES_MAX).map((line) => `${path}:${line}`),
  );
  expect(long).toEqual([]);
});

it(`has a README of at most ${README_LINES_MAX} lines`, () => {
  expect(linesOf(textOf('README.md')).length).toBeLessThanOrEqual(README_LINES_MAX);
});
