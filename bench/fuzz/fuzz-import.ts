/**
 * Mutates transcripts and reads them: `--cases N`, from `--seed S` on. Imports every tenth, too. The transcripts are
 * a small one per format, and those in the folder PALIMPSEST_TRANSCRIPTS, if set. Exits with 1 if one of them crashed
 * the reader, took too long, or left an inconsistency; the seed repeats it.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importingFaults, mutated, randomFrom, readingFaults, transcriptSamples } from '@app/testing';

const SECONDS_MAX = 60;
/** Bytes taken from a recorded transcript, so that thousands of cases finish in time. */
const WINDOW = 60_000;
const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const cases = Number(values.cases);

const recorded = async (): Promise<readonly Buffer[]> => {
  const folder = process.env.PALIMPSEST_TRANSCRIPTS;
  if (folder === undefined) return [];
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => /\.(?:jsonl?|traj)$/.test(name) && !/MANIFEST/.test(name))
    .map((name) => readFileSync(join(folder, name)));
};

const files = [...[...transcriptSamples().values()].map((text) => Buffer.from(text)), ...(await recorded())];
let slowest = 0;
let failed = 0;
const startedAt = performance.now();
for (let at = 0; at < cases; at += 1) {
  const seed = Number(values.seed) + at;
  const random = randomFrom(seed);
  const file = files[Math.floor(random() * files.length)] ?? Buffer.alloc(0);
  const from = file.length > WINDOW && random() < 0.8 ? Math.floor(random() * (file.length / 10)) : 0;
  const bytes = mutated(Buffer.from(file.subarray(from, from + WINDOW)), random);
  const begun = performance.now();
  const outcome = await Promise.all([
    readingFaults(bytes, random),
    seed % 10 === 0 ? importingFaults(bytes) : [],
  ]).then(
    (faults) => faults.flat(),
    (error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  );
  const seconds = (performance.now() - begun) / 1_000;
  slowest = Math.max(slowest, seconds);
  const faults = seconds > SECONDS_MAX ? [...outcome, `took ${seconds} s`] : outcome;
  if (faults.length > 0) {
    failed += 1;
    process.stdout.write(`seed ${seed}: ${faults.slice(0, 3).join('; ')}\n`);
  }
  if ((at + 1) % 10_000 === 0) process.stderr.write(`${at + 1} of ${cases}\n`);
}
const took = (performance.now() - startedAt) / 1_000;
process.stdout.write(
  `${cases} cases in ${took.toFixed(0)} s, the slowest ${slowest.toFixed(2)} s: ${failed === 0 ? 'no faults' : `${failed} with faults`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
