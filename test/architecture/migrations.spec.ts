import { expect, it } from '@jest/globals';
import { filesUnder } from './support/project.js';

it('numbers migrations from 1 without a gap', () => {
  const names = filesUnder('migrations').map((path) => path.slice('migrations/'.length));
  expect(names).not.toHaveLength(0);
  expect(names.map((name) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])).toEqual(
    names.map((_, at) => String(at + 1).padStart(4, '0')),
  );
});
