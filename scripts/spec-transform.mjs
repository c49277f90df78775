// Jest's transform: swc, except for sources that are bundled (scripts/source-bundles.mjs).
import { createHash } from 'node:crypto';
import swcJest from '@swc/jest';
import { bundleOf } from './source-bundles.mjs';

const swc = swcJest.createTransformer();
/** Without source map: nothing in it can fail. */
const passingOn = (path) => {
  const bundle = bundleOf(path);
  return bundle && { code: `export * from ${JSON.stringify(bundle)};` };
};

export default {
  ...swc,
  process: (source, path, options) => passingOn(path) ?? swc.process(source, path, options),
  processAsync: async (source, path, options) => passingOn(path) ?? swc.processAsync(source, path, options),
  getCacheKey: (source, path, options) => {
    const { code } = passingOn(path) ?? {};
    return code === undefined
      ? swc.getCacheKey(source, path, options)
      : createHash('sha1').update(code).digest('hex');
  },
};
