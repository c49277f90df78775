// Runs benchmarks one after another: `node scripts/bench.mjs [--quick] [name…]`, all of them where none is named.
// Each has a process and a folder of its own, so that none inherits another's heap, compiled code or data. What
// they measure and how to read it: docs/benchmarks.md.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SUFFIX = '.bench.js';
const builtDir = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/bench');

const run = async (name, options) => {
  const folder = await mkdtemp(join(tmpdir(), `palimpsest-bench-${name}-`));
  try {
    const program = join(builtDir, `${name}${SUFFIX}`);
    const child = spawn(process.execPath, ['--enable-source-maps', program, ...options, folder], {
      stdio: 'inherit',
    });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    // Servers of a benchmark that was cut short may still be writing their last.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
};

const readArguments = () => {
  try {
    return parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
};

const { values, positionals } = readArguments();
const files = await readdir(builtDir).catch(() => []);
const known = files
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort();
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined || known.length === 0) {
  const what = unknown === undefined ? 'nothing is built: run `npm run build`' : `no benchmark "${unknown}"`;
  process.stderr.write(`${what}${known.length > 0 ? `: there are ${known.join(', ')}` : ''}\n`);
  process.exit(2);
}

// The interrupt key reaches the benchmark by itself; this process stays to clear up after it.
let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});
for (const name of positionals.length > 0 ? positionals : known) {
  const code = await run(name, values.quick ? ['--quick'] : []);
  if (code !== 0) process.exitCode = 1;
  if (interrupted) break;
}
