import { expect, it } from '@jest/globals';
import { namesAsKeys } from './support/outside-names.js';
import { filesUnder } from './support/project.js';

const product = ['apps', 'libs']
  .flatMap(filesUnder)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .filter((path) => !/^libs\/(?:testing|deployments)\//.test(path));

it('never uses an external name as an object key without `ownMember` or `Map`', () => {
  expect(product).toContain('libs/kernel/src/json.ts');
  expect(namesAsKeys(product)).toEqual([]);
});
