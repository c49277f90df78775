// Bundles each program with its imports into a few files of `dist/programs/`: node takes a second to find, read and link
// a thousand files before a program's first line runs, and a third of that for a few files (ADR 0001).
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';

/** By the name of the entry file. */
const PROGRAMS = {
  palimpsest: 'apps/cli/src/main.js',
  api: 'apps/api/src/main.js',
  'export-page': 'apps/api/src/export-page.js',
  worker: 'apps/worker/src/main.js',
  'event-store': 'libs/embedded-event-store/src/main.js',
  'count-worker': 'libs/adapters/tokens-tiktoken/src/worker/main.js',
  'postgres-supervisor': 'libs/embedded-postgres/src/supervisor.js',
};
/** Libraries that locate other files relative to themselves, and optional ones that are not installed. */
export const EXTERNAL = [
  'lmdb',
  'tiktoken',
  'pg-native',
  'class-transformer',
  'class-validator',
  '@fastify/multipart',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
];
/** Globals of CommonJS modules that an ES module must define. */
const COMMON_JS = [
  "import { createRequire as createRequireHere } from 'node:module';",
  "import { dirname as dirnameHere } from 'node:path';",
  "import { fileURLToPath as fileHere } from 'node:url';",
  'const require = createRequireHere(import.meta.url);',
  'const __filename = fileHere(import.meta.url);',
  'const __dirname = dirnameHere(__filename);',
].join('');
/** The esbuild options for bundling modules into a few files. */
export const JOINED = {
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  banner: { js: COMMON_JS },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};

/**
 * A process holds the texts of its programs: with two bytes a character where a comment has one beyond Latin-1. Names stay,
 * and lines are short: Node prints the line of an uncaught error.
 */
const COMPACT = { minifyWhitespace: true, lineLimit: 160 };

const namesIn = (folder) => readdir(folder, { recursive: true }).catch(() => []);
/** In milliseconds; 0 for a missing file. */
export const modifiedAt = (path) =>
  stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
/** Whether all `files` exist and are newer than `sources`. */
export const isCurrent = async (files, sources) => {
  const [made, changed] = await Promise.all(
    [files, sources].map((paths) => Promise.all(paths.map(modifiedAt))),
  );
  return Math.min(...made) > Math.max(...changed);
};

/**
 * Bundles the programs of `outDir` if one of its compiled files, a library or this file is newer, or if a compiled
 * file was removed. `npm run dev` compiles into the same folder without bundling.
 */
export const bundle = async (outDir, compiled, hasRemoved) => {
  const folder = join(outDir, 'programs');
  const files = Object.keys(PROGRAMS).map((name) => join(folder, `${name}.js`));
  const sources = [join(outDir, '../package-lock.json'), fileURLToPath(import.meta.url), ...compiled];
  if (!hasRemoved && (await isCurrent(files, sources))) return;
  const { metafile } = await build({
    ...JOINED,
    ...COMPACT,
    absWorkingDir: outDir,
    entryPoints: PROGRAMS,
    outdir: folder,
    external: EXTERNAL,
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs).map((path) => join(outDir, path));
  await copyDocsPage(join(folder, 'swagger-ui'));
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await noticesOf(inputs));
  const written = new Set(Object.keys(metafile.outputs).map((path) => relative(folder, join(outDir, path))));
  const old = (await namesIn(folder)).filter(
    (name) => /^(chunks\/)?[^/]*\.js(\.map)?$/.test(name) && !written.has(name),
  );
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
};

/** The files of the page at `/docs`, copied because their package runs telemetry at its installation. */
const DOCS_PAGE = [
  'LICENSE',
  'NOTICE',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];

const copyDocsPage = async (folder) => {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await mkdir(folder, { recursive: true });
  await Promise.all(DOCS_PAGE.map((name) => copyFile(join(from, name), join(folder, name))));
};
