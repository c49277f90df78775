import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { installLocked } from '../../support/frameworks/install.js';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const TOOLS = join(PROJECT, 'tools/openapi');
const OUTPUT_BYTES_MAX = 64 * 1_048_576;

export type Finding = {
  readonly linter: string;
  readonly rule: string;
  readonly at: string;
  readonly message: string;
};

export const installTools = (): Promise<void> => installLocked(TOOLS);

const node = async (program: string, ...given: string[]): Promise<string> => {
  const options = { cwd: TOOLS, maxBuffer: OUTPUT_BYTES_MAX };
  return (await run(process.execPath, [program, ...given], options)).stdout;
};

/** Returns every error and warning of both linters in the documents. */
export const lint = async (folder: string, documents: readonly object[]): Promise<readonly Finding[]> => {
  const files = documents.map((_, at) => join(folder, `openapi-${at}.json`));
  for (const [at, file] of files.entries()) await writeFile(file, JSON.stringify(documents[at]));
  return JSON.parse(await node(join(TOOLS, 'lint.mjs'), ...files));
};

/**
 * Generates a client of `document` into `folder` and compiles it with `program` under `strict`.
 * @throws {Error} with the compiler's messages.
 */
export const compileClient = async (folder: string, document: object, program: string): Promise<void> => {
  const file = join(folder, 'document.json');
  await writeFile(file, JSON.stringify(document));
  const generator = join(TOOLS, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  await node(generator, '--input', file, '--output', join(folder, 'client'), '--silent');
  await writeFile(join(folder, 'session.ts'), program);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT, include: ['**/*.ts'] }),
  );
  const compiler = join(PROJECT, 'node_modules/typescript-native/bin/tsc');
  await run(process.execPath, [compiler, '--singleThreaded', '-p', folder]).catch(
    (error: { readonly stdout?: string }) => {
      throw new Error(`the generated client does not compile: ${error.stdout}`);
    },
  );
};

/** Runs the compiled program, and returns its output as parsed JSON. */
export const runCompiled = async (
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<unknown> => {
  const outfile = join(folder, 'session.mjs');
  const entryPoints = [join(folder, 'session.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm' });
  return JSON.parse((await run(process.execPath, [outfile], { env: { ...process.env, ...env } })).stdout);
};

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
  noEmit: true,
};
