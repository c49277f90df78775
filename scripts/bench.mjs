// Runs benchmarks one after another: `node scripts/bench.mjs [--quick] [name…]`, by default all of them. Each has its
// own process and folder, so that they share neither heap nor compiled code nor data. docs/benchmarks.md describes
// what they measure.
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
    // Servers of an interrupted benchmark may still be writing.
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
  const what =
    unknown === undefined ? 'no benchmark is built: run `npm run build`' : `unknown benchmark "${unknown}"`;
  process.stderr.write(`${what}${known.length > 0 ? `: use one of ${known.join(', ')}` : ''}\n`);
  process.exit(2);
}

// Ctrl-C reaches the benchmark directly; this process stays to clean up.
let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});
for (const name of positionals.length > 0 ? positionals : known) {
  const code = await run(name, values.quick ? ['--quick'] : []);
  if (code !== 0) process.exitCode = 1;
  if (interrupted) break;
}
