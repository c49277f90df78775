import { expect, it } from '@jest/globals';
import { filesUnder, linesOf, textOf } from './support/project.js';

/** A folder of the machine that the project was made on; put together here, so that this file does not name it. */
const FOREIGN = new RegExp(`(?<![\\w.:-])/${'work'}(?![\\w-])`);

const mentionsIn = (path: string): readonly string[] =>
  linesOf(textOf(path)).flatMap((line, at) => (FOREIGN.test(line) ? [`${path}:${at + 1}`] : []));

it('mentions no folder of the machine that it was made on', () => {
  expect(filesUnder('.').flatMap(mentionsIn)).toEqual([]);
});
