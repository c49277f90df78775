import { expect, it } from '@jest/globals';
import { TEXT_OF_QUERIES } from '../../apps/cli/src/service/text-reads.js';
import { filesUnder, textOf } from './support/project.js';

/** Every query class of the application. */
const queries = filesUnder('libs/application/src/queries')
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .flatMap((path) => [...textOf(path).matchAll(/^export class (\w+) extends Query\w*</gm)])
  .map(([, name = '']) => name);

it('declares for every query whether its answer contains text, which must be recorded as read', () => {
  expect(TEXT_OF_QUERIES.map(([type]) => type.name).sort()).toEqual([...queries].sort());
});
