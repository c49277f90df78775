import { join, relative } from 'node:path';
import { ToolFailure } from './tool-failure.mjs';

/**
 * Where `path` lies on disk. Tools see nothing outside the scratch copy.
 *
 * @param {string} root
 * @param {string} path
 */
export const placeOf = (root, path) => {
  const place = join(root, path);
  if (relative(root, place).startsWith('..')) throw new ToolFailure(`${path} is outside the repository`);
  return place;
};
