// Joins each program with all that it imports, into a few files of `dist/programs/`: node finds, reads and links a
// thousand files for a second before the first line of a program runs, and a few in a third of that (ADR 0047).
import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** By the name of the file that starts it. */
const PROGRAMS = {
  palimpsest: 'apps/cli/src/main.js',
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  'event-store': 'libs/embedded-event-store/src/main.js',
  'count-worker': 'libs/adapters/tokens-tiktoken/src/worker/main.js',
  'postgres-supervisor': 'libs/embedded-postgres/src/supervisor.js',
};
/** What finds other files by where it is itself, is loaded on demand, or is looked for and can be done without. */
export const EXTERNAL = [
  'lmdb',
  'tiktoken',
  'swagger-ui-dist',
  '@peculiar/x509',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-trace-node',
  'pg-native',
  'class-transformer',
  'class-validator',
  '@fastify/multipart',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
];
/** What CommonJS modules take for granted, and an ES module has to make. */
export const COMMON_JS = [
  "import { createRequire as createRequireHere } from 'node:module';",
  "import { dirname as dirnameHere } from 'node:path';",
  "import { fileURLToPath as fileHere } from 'node:url';",
  'const require = createRequireHere(import.meta.url);',
  'const __filename = fileHere(import.meta.url);',
  'const __dirname = dirnameHere(__filename);',
].join('');

const namesIn = (folder) => readdir(folder, { recursive: true }).catch(() => []);
const modifiedAt = (path) =>
  stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );

/** Bundles the programs of `outDir`, where something is other than last time: ours, a library, or this file. */
export const bundle = async (outDir, hasChanged) => {
  const folder = join(outDir, 'programs');
  const files = Object.keys(PROGRAMS).map((name) => join(folder, `${name}.js`));
  const bundledAt = Math.min(...(await Promise.all(files.map(modifiedAt))));
  const lock = join(outDir, '../package-lock.json');
  const changedAt = Math.max(await modifiedAt(lock), await modifiedAt(fileURLToPath(import.meta.url)));
  if (!hasChanged && bundledAt > changedAt) return;
  const { metafile } = await build({
    absWorkingDir: outDir,
    entryPoints: PROGRAMS,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: EXTERNAL,
    banner: { js: COMMON_JS },
    // A class is known by its name: in errors, and to Nest.
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  const written = new Set(Object.keys(metafile.outputs).map((path) => relative(folder, join(outDir, path))));
  const old = (await namesIn(folder)).filter((name) => name.includes('.js') && !written.has(name));
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
};
