// Joins each library of hundreds of ES modules into a few files of `dist/libraries/`, for specs alone. Jest gives each
// spec modules of its own: Nest and what runs on it cost 2.7 s of each spec that touched them, and cost 0.4 s from a
// few files (ADR 0105).
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { COMMON_JS, EXTERNAL } from './bundle.mjs';

/** Only ES modules: what a CommonJS library requires would have to be joined as well. */
export const LIBRARIES = [
  '@anthropic-ai/sdk',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/cqrs',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  'commander',
  'fast-check',
  'kysely',
  'openai',
  'zod',
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist/libraries');
const modifiedAt = (path) =>
  stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );

/** Jest's global setup: joins them where a library or this file is other than last time. */
export default async function bundleLibraries() {
  const bundledAt = Math.min(
    ...(await Promise.all(LIBRARIES.map((name) => modifiedAt(join(folder, `${name}.mjs`))))),
  );
  const sources = [join(root, 'package-lock.json'), fileURLToPath(import.meta.url)];
  if (bundledAt > Math.max(...(await Promise.all(sources.map(modifiedAt))))) return;
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(LIBRARIES.map((name) => [name, name])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // It has to be there before any file of Nest's runs, and is no module that files could wait for.
    external: [...EXTERNAL, 'reflect-metadata'],
    banner: { js: COMMON_JS },
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
}
