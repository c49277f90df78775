// Bundles the command line of specs (test/support/shell) into a few files of `dist/shell/`: its thousand modules took node
// two seconds of processor time at each of 28 starts.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { EXTERNAL, isCurrent, JOINED } from './bundle.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const folder = join(root, 'dist/shell');
const SOURCE = 'test/support/shell/process.mjs';
/** Written by each build that compiles something. */
const PROGRAM = join(root, 'dist/programs/palimpsest.js');

/** Jest's global setup: bundles the shell if it or the program has changed; does nothing without a build. */
export default async function bundleShell() {
  if (!existsSync(PROGRAM)) return;
  const scripts = ['bundle.mjs', 'shell.mjs'].map((name) => join(here, name));
  if (await isCurrent([join(folder, 'process.js')], [PROGRAM, join(root, SOURCE), ...scripts])) return;
  await rm(folder, { recursive: true, force: true });
  await build({ ...JOINED, absWorkingDir: root, entryPoints: [SOURCE], outdir: folder, external: EXTERNAL });
}
