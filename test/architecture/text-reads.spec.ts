import { expect, it } from '@jest/globals';
import { TEXT_OF_QUERIES } from '../../apps/cli/src/service/text-reads.js';
import { filesUnder, textOf } from './support/project.js';

/** Every class of queries that the application answers. */
const queries = filesUnder('libs/application/src/queries')
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .flatMap((path) => [...textOf(path).matchAll(/^export class (\w+) extends Query</gm)])
  .map(([, name = '']) => name);

it('has said of every query whether its answer has text that a command must record as read', () => {
  expect(TEXT_OF_QUERIES.map(([type]) => type.name).sort()).toEqual([...queries].sort());
});
