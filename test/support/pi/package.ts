import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invariant, type JsonObject } from '@app/kernel';
import type { FileLists } from './recording.js';

/** Pi's decision: the position of the first message that it keeps. */
export type PiCut = { readonly at: number; readonly isSplit: boolean; readonly files: FileLists };
export type PiAnswers = {
  /** By number of messages, then by tail size. */
  readonly cuts: readonly (readonly PiCut[])[];
  readonly tokens: readonly number[];
  /** Whether pi compacts, by pair of occupancy and window. */
  readonly compacts: readonly boolean[];
};
export type PiQuestions = {
  readonly records: readonly JsonObject[];
  readonly ends: readonly number[];
  readonly keeps: readonly number[];
  readonly reserve: number;
  readonly sizes: readonly (readonly [occupancy: number, window: number])[];
};

const NAMES = ['@mariozechner/pi-coding-agent', '@earendil-works/pi-coding-agent'];
const ROOT = process.env.PALIMPSEST_DIFF_PI;

/** The folder of pi's package below `PALIMPSEST_DIFF_PI`. It is not a dependency. */
export const PI_PACKAGE = ROOT
  ? NAMES.map((name) => join(ROOT, 'node_modules', name)).find((folder) => existsSync(folder))
  : undefined;

/** Calls the package's own functions in a child process. */
export const askPi = (folder: string, questions: PiQuestions): PiAnswers => {
  const compaction = pathToFileURL(join(folder, 'dist/core/compaction/index.js')).href;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, compaction],
    { input: JSON.stringify(questions), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  invariant(status === 0, `pi's package did not answer: ${stderr.slice(0, 500)}`);
  return JSON.parse(stdout);
};

const PROGRAM = `
import { readFileSync } from 'node:fs';
const pi = await import(process.argv[1]);
const { records, ends, keeps, reserve, sizes } = JSON.parse(readFileSync(0, 'utf8'));
const entries = records.map((record, at) => ({ ...record, id: 'e' + at, parentId: at === 0 ? null : 'e' + (at - 1) }));
const cutAt = (end, keepRecentTokens) => {
  const settings = { enabled: true, reserveTokens: reserve, keepRecentTokens };
  const prepared = pi.prepareCompaction(entries.slice(0, end), settings);
  const { readFiles, modifiedFiles } = pi.computeFileLists(prepared.fileOps);
  return {
    at: Number(prepared.firstKeptEntryId.slice(1)),
    isSplit: prepared.isSplitTurn,
    files: { read: readFiles, modified: modifiedFiles },
  };
};
process.stdout.write(JSON.stringify({
  cuts: ends.map((end) => keeps.map((keep) => cutAt(end, keep))),
  tokens: entries.map((entry) => pi.estimateTokens(entry.message)),
  compacts: sizes.map(([size, window]) => pi.shouldCompact(size, window, { enabled: true, reserveTokens: reserve })),
}));
`;
