import { expect, it } from '@jest/globals';
import { filesUnder, linesOf, textOf } from './support/project.js';

/**
 * The folder of the machine that the project was developed on; composed here, so that this file does not contain it.
 */
const FOREIGN = new RegExp(`(?<![\\w.:-])/${'work'}(?![\\w-])`);

const mentionsIn = (path: string): readonly string[] =>
  linesOf(textOf(path)).flatMap((line, at) => (FOREIGN.test(line) ? [`${path}:${at + 1}`] : []));

it('contains no path of the development machine', () => {
  expect(filesUnder('.').flatMap(mentionsIn)).toEqual([]);
});
