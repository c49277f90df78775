// Bundles each of our own libraries into one file of `dist/sources/`, for specs only. Jest loads modules separately for each
// spec and resolves every import again: a spec of the domain loads 775 of our modules by 2,700 imports, which took 0.4 s of
// processor time and 30 MB. `scripts/spec-transform.mjs` puts the bundles in the place of the sources.
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { isCurrent, JOINED } from './bundle.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const folder = join(root, 'dist/sources');
/** Written last, with the time of the beginning: the sources of the bundles. */
const LISTING = join(folder, 'sources.txt');

/**
 * Folders with an `index.ts`, of libraries that specs load as a whole or not at all. The embedded event store is none: half of
 * its specs need a few modules, and not gRPC.
 */
const LIBRARIES = [
  'libs/kernel/src',
  'libs/tlog/src',
  'libs/proof/src',
  'libs/domain/src',
  'libs/ports/src',
  'libs/formats/src',
  'libs/application/src',
  'libs/contract/src',
  'libs/client/src',
  'libs/embedded-postgres/src',
  'libs/adapters/read-model-postgres/src',
  'libs/adapters/summarizer-extractive/src',
  'test/support/testing/providers',
  'test/support/testing',
];

const libraryOf = (source) => LIBRARIES.find((library) => source.startsWith(`${library}/`));
const sourcesIn = async (library) =>
  (await readdir(join(root, library), { recursive: true }))
    .filter(isSource)
    .map((name) => `${library}/${name}`);
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.endsWith('.d.ts');

/** Returns the module that specs load in the place of a source; `undefined` if that is not bundled. */
export const bundleOf = (path) => {
  const source = relative(root, path);
  if (!isSource(source) || libraryOf(source) === undefined) return undefined;
  return join(folder, source.replace(/\.ts$/, '.mjs'));
};

/** Jest's global setup: bundles the libraries if a file of theirs or a script was changed, added or removed. */
export default async function bundleSources() {
  const begun = new Date();
  const sources = (await Promise.all(LIBRARIES.map(sourcesIn))).flat();
  const files = [...new Set(sources)];
  const listed = files.join('\n');
  const scripts = ['bundle.mjs', 'source-bundles.mjs'].map((name) => `scripts/${name}`);
  const inputs = [...files, ...scripts, 'package-lock.json', 'tsconfig.json'].map((name) => join(root, name));
  if ((await readFile(LISTING, 'utf8').catch(() => '')) === listed && (await isCurrent([LISTING], inputs)))
    return;
  await rm(folder, { recursive: true, force: true });
  await build({
    ...JOINED,
    banner: {},
    absWorkingDir: root,
    entryPoints: files.map((source) => ({ in: `whole:${source}`, out: source.replace(/\.ts$/, '') })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    // Or esbuild skips an import for its side effects alone, of a library that says it has none.
    ignoreAnnotations: true,
    plugins: [{ name: 'whole', setup: loadWhole }],
  });
  await writeFile(LISTING, listed);
  // A source that was edited meanwhile is newer.
  await utimes(LISTING, begun, begun);
}

/** A module loads its library first, so that all modules of a library have the same users: esbuild makes them one chunk. */
const loadWhole = (building) => {
  const filter = /^whole:/;
  building.onResolve({ filter }, ({ path }) => ({ path: path.slice('whole:'.length), namespace: 'whole' }));
  building.onLoad({ filter: /.*/, namespace: 'whole' }, ({ path }) => ({
    contents: `import './${libraryOf(path)}/index.ts'; export * from './${path}';`,
    resolveDir: root,
  }));
};
