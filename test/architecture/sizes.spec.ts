import { posix } from 'node:path';
import { expect, it } from '@jest/globals';
import { longestFunctionsIn } from './support/functions.js';
import { filesUnder, linesOf, textOf } from './support/project.js';

const FILE_LINES_MAX = 250;
const FUNCTION_LINES_MAX = 60;
const FOLDER_FILES_MAX = 10;
const README_LINES_MAX = 130;

const sources = ['apps', 'libs'].flatMap(filesUnder).filter((path) => path.endsWith('.ts'));

it('finds the sources', () => {
  expect(sources).toContain('libs/kernel/src/errors.ts');
});

it(`has no source file of more than ${FILE_LINES_MAX} lines`, () => {
  const sizes = sources.map((path) => ({ path, lines: linesOf(textOf(path)).length }));
  expect(sizes.filter(({ lines }) => lines > FILE_LINES_MAX)).toEqual([]);
});

it(`has no function of more than ${FUNCTION_LINES_MAX} lines`, () => {
  const product = sources.filter((path) => !path.endsWith('.spec.ts'));
  const long = product.flatMap((path) =>
    longestFunctionsIn(textOf(path), FUNCTION_LINES_MAX).map((line) => `${path}:${line}`),
  );
  expect(long).toEqual([]);
});

it(`has no folder of more than ${FOLDER_FILES_MAX} source files`, () => {
  const counts = new Map<string, number>();
  for (const path of sources) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, files]) => files > FOLDER_FILES_MAX)).toEqual([]);
});

it(`has a README of at most ${README_LINES_MAX} lines`, () => {
  expect(linesOf(textOf('README.md')).length).toBeLessThanOrEqual(README_LINES_MAX);
});
