// Runs benchmarks one after another: `node scripts/bench.mjs [--quick] [--record] [name…]`, by default all of them. Each
// has its own process and folder, so that they share neither heap nor compiled code nor data. `--record` writes their
// reports to bench/results.json, from which docs/benchmarks.md is generated.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SUFFIX = '.bench.js';
/** Exit status of a benchmark that missed a promise, as in bench/support/report.ts. */
const MISSED = 4;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builtDir = join(root, 'dist/bench');
const RESULTS = join(root, 'bench/results.json');

/** Replaces the result of one benchmark by the reports of its last run. */
const record = async (name, isQuick, file, load) => {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const results = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '{}'));
  const { node } = process.versions;
  const machine = { node, cores: availableParallelism(), load };
  const measured = new Date().toISOString().slice(0, 10);
  results[name] = { measured, isQuick, ...machine, reports: lines.map((line) => JSON.parse(line)) };
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(RESULTS, `${JSON.stringify(sorted, null, 2)}\n`);
};

const run = async (name, { quick, record: isRecorded }) => {
  const folder = await mkdtemp(join(tmpdir(), `palimpsest-bench-${name}-`));
  const options = quick ? ['--quick'] : [];
  const load = Math.round(loadavg()[0]); // Of others: programs that want to run, in the last minute.
  const reports = join(folder, 'reports.ndjson');
  try {
    const program = join(builtDir, `${name}${SUFFIX}`);
    const child = spawn(process.execPath, ['--enable-source-maps', program, ...options, folder], {
      stdio: 'inherit',
      env: { ...process.env, ...(isRecorded && { PALIMPSEST_BENCH_RECORD: reports }) },
    });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exit) => resolve(exit ?? 1));
    });
    if (isRecorded && (code === 0 || code === MISSED)) await record(name, quick, reports, load);
    return code;
  } finally {
    // Servers of an interrupted benchmark may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
};

const readArguments = () => {
  try {
    const flag = { type: 'boolean', default: false };
    return parseArgs({ allowPositionals: true, options: { quick: flag, record: flag } });
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
  const code = await run(name, values);
  if (code !== 0) process.exitCode = 1;
  if (interrupted) break;
}
