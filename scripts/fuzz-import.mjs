// Fuzzes the importer: `node scripts/fuzz-import.mjs --cases 100000 [--seed 1]`, after `node scripts/build.mjs`. See
// bench/fuzz/fuzz-import.ts.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/bench/fuzz/fuzz-import.js');
const { status } = spawnSync(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
