// Joins each library of hundreds of ES modules into a few files of `dist/libraries/`, for specs alone. Jest gives each
// spec modules of its own: Nest and what runs on it cost 2.7 s of each spec that touched them, and cost 0.4 s from a
// few files (ADR 0074).
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { EXTERNAL, isCurrent, JOINED } from './bundle.mjs';

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

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const folder = join(root, 'dist/libraries');

/** Jest's global setup: joins them where a library or a script is other than last time. */
export default async function bundleLibraries() {
  const files = LIBRARIES.map((name) => join(folder, `${name}.mjs`));
  const scripts = ['bundle.mjs', 'libraries.mjs'].map((name) => join(here, name));
  if (await isCurrent(files, [join(root, 'package-lock.json'), ...scripts])) return;
  await rm(folder, { recursive: true, force: true });
  await build({
    ...JOINED,
    // Specs tell errors of packages by the names of their classes.
    keepNames: true,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(LIBRARIES.map((name) => [name, name])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // It has to be there before any file of Nest's runs, and is no module that files could wait for.
    external: [...EXTERNAL, 'reflect-metadata'],
  });
}
