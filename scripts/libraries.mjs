// Bundles each library of hundreds of ES modules into a few files of `dist/libraries/`, for specs only. Jest loads
// modules separately for each spec: Nest and its dependencies took 2.7 s per spec, and take 0.4 s from a few files
// (ADR 0001).
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { EXTERNAL, isCurrent, JOINED } from './bundle.mjs';

/** ES modules only: the dependencies of a CommonJS library would have to be bundled as well. */
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

/** Jest's global setup: bundles the libraries if one of them or a script has changed. */
export default async function bundleLibraries() {
  const files = LIBRARIES.map((name) => join(folder, `${name}.mjs`));
  const scripts = ['bundle.mjs', 'libraries.mjs'].map((name) => join(here, name));
  if (await isCurrent(files, [join(root, 'package-lock.json'), ...scripts])) return;
  await rm(folder, { recursive: true, force: true });
  await build({
    ...JOINED,
    // Specs identify packages' errors by class name.
    keepNames: true,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(LIBRARIES.map((name) => [name, name])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // Must be loaded before Nest, and is no module that others import.
    external: [...EXTERNAL, 'reflect-metadata'],
  });
}
