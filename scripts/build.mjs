// Compiles apps/, libs/, bench/ and the test support of benchmarks to dist/ with swc, file by file, and rewrites `@app/…`
// imports to relative paths; then bundles each program with its libraries. `npm run typecheck` checks types; stripping
// them takes about a second. Generates the schemas of events before, and the client's types from the compiled API. Skips files that have not changed since
// the last build, and removes outputs without a source.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { writeApiDocument } from './api-document.mjs';
import { bundle, isCurrent, modifiedAt } from './bundle.mjs';
import { writeClientTypes } from './client-types.mjs';
import { bundleConsole } from './console.mjs';
import { bundleVerifierPage } from './verifier-page.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir = join(root, 'dist');

const filesBelow = async (dir) => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
};

/** Sources for browsers, which esbuild reads itself. */
const BUNDLED = ['apps/console/', 'apps/verifier/'];
/** Types alone, written below. */
const GENERATED = 'libs/client/src/generated/';
const FOLDERS = [
  ...['apps', 'libs', 'bench'],
  ...['test/support/deployments', 'test/support/frameworks', 'test/support/testing'],
];

// The schemas of events depend on their types.
const EVENT_SCHEMAS = 'libs/adapters/event-store-db/src/codec/generated/event-schemas.ts';
/** Written after the schemas of events. */
const schemasWritten = join(outDir, '.event-schemas');
const typesOfEvents = [
  ...(await filesBelow(join(root, 'libs/domain/src'))),
  ...(await filesBelow(join(root, 'libs/kernel/src'))),
  ...['libs/adapters/event-store-db/src/codec/values.ts', 'scripts/event-schemas.mjs'].map((path) =>
    join(root, path),
  ),
];
if (
  !(await isCurrent([schemasWritten], typesOfEvents)) ||
  (await modifiedAt(join(root, EVENT_SCHEMAS))) === 0
) {
  const { writeEventSchemas } = await import('./event-schemas.mjs');
  await writeEventSchemas();
  await mkdir(outDir, { recursive: true });
  await writeFile(schemasWritten, '');
}

const sources = (await Promise.all(FOLDERS.map((dir) => filesBelow(join(root, dir)))))
  .flat()
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.endsWith('.d.ts'))
  .filter((path) => ![...BUNDLED, GENERATED].some((folder) => path.startsWith(join(root, folder))));
const outputOf = (source) => join(outDir, relative(root, source)).replace(/\.ts$/, '.js');
/** Written after the API's document and the client's types. */
const written = join(outDir, '.client-types');
const expected = new Set([
  ...[join(outDir, '.sources'), schemasWritten, written],
  ...sources.flatMap((source) => [outputOf(source), `${outputOf(source)}.map`]),
]);
const configuredAt = Math.max(
  await modifiedAt(join(root, '.swcrc')),
  await modifiedAt(join(root, 'scripts/build.mjs')),
);

// Existing files decide where an `@app/…` import leads: a different set of files recompiles everything.
const listing = join(outDir, '.sources');
const sourceList = sources
  .map((source) => relative(root, source))
  .sort()
  .join('\n');
const isSameTree = (await readFile(listing, 'utf8').catch(() => '')) === sourceList;

const compile = async (source) => {
  const output = outputOf(source);
  const builtAt = await modifiedAt(output);
  if (isSameTree && builtAt > (await modifiedAt(source)) && builtAt > configuredAt) return;
  const { code, map } = await transformFile(source, {
    configFile: join(root, '.swcrc'),
    jsc: {
      baseUrl: root,
      paths: {
        '@app/adapters/*': ['libs/adapters/*/src/index.ts'],
        '@app/deployments': ['test/support/deployments/index.ts'],
        '@app/testing': ['test/support/testing/index.ts'],
        '@app/testing/*': ['test/support/testing/*/index.ts'],
        '@app/*': ['libs/*/src/index.ts'],
      },
    },
    module: { type: 'es6', resolveFully: true },
  });
  await mkdir(dirname(output), { recursive: true });
  await writeFile(`${output}.map`, map ?? '');
  await writeFile(output, `${code}\n//# sourceMappingURL=${output.slice(output.lastIndexOf('/') + 1)}.map\n`);
};

await Promise.all(sources.map(compile));
const bundles = ['programs/', 'libraries/', 'sources/', 'shell/'].map((name) => join(outDir, name));
const isBundled = (path) => bundles.some((folder) => path.startsWith(folder));
const others = (await filesBelow(outDir)).filter((path) => !expected.has(path) && !isBundled(path));
await Promise.all(others.map((path) => rm(path)));
// The API's document depends on the API and on the libraries below it.
const describing = sources.filter((source) =>
  /^(?:apps\/api\/|libs\/(?!adapters\/|client\/))/.test(relative(root, source)),
);
const described = [
  ...describing.map(outputOf),
  ...['docs/openapi/examples.json', 'scripts/api-document.mjs', 'scripts/client-types.mjs'].map((path) =>
    join(root, path),
  ),
];
const typesAt = (await modifiedAt(join(root, GENERATED))) && (await modifiedAt(written));
if (Math.max(...(await Promise.all(described.map(modifiedAt)))) > typesAt) {
  await writeClientTypes(await writeApiDocument());
  await writeFile(written, '');
}
await bundle(outDir, sources.map(outputOf), others.length > 0);
await bundleConsole(root);
await bundleVerifierPage(root);
await writeFile(listing, sourceList);
