import { expect, it } from '@jest/globals';
import { namesAsKeys } from './support/outside-names.js';
import { filesUnder } from './support/project.js';

const product = ['apps', 'libs']
  .flatMap(filesUnder)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .filter((path) => !/^libs\/(?:testing|deployments)\//.test(path));

it('never takes a name that is not known beforehand for a member of an object: `ownMember` and `Map` do', () => {
  expect(product).toContain('libs/kernel/src/json.ts');
  expect(namesAsKeys(product)).toEqual([]);
});
