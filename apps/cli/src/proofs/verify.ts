import { copyFile, readFile } from 'node:fs/promises';
import { type LiveProgress, VerifyLive } from '@app/application';
import { AppError, unreadableFile } from '@app/kernel';
import { EXIT_CODES, type Report, verifyBundle } from '@app/proof';
import { parsePolicy, TlogError } from '@app/tlog';
import type { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { note, print, printJson } from '../output/print.js';
import { Progress, type ProgressState } from '../output/progress.js';
import { projectRoot } from '../project-root.js';
import { withService } from '../session-run.js';
import { liveReportText } from './live-report-text.js';
import { readMemory, remember } from './memory.js';
import { replayBundle } from './replay-bundle.js';
import { reportText } from './report-text.js';

export type VerifyOptions = GlobalOptions & {
  readonly policy?: string;
  readonly remember?: string;
  readonly page?: string;
  readonly live?: boolean;
};

/** Verifies a file, or the installation, and prints the report; its outcome becomes the exit code. */
export const verify = async (
  file: string | undefined,
  options: VerifyOptions,
  command: Command,
): Promise<void> => {
  if (options.page !== undefined) {
    await writePage(options.page);
    process.exitCode = 0;
    return;
  }
  if (options.live) return verifyLive(file, options, command);
  if (file === undefined) return command.error("error: missing required argument 'file'");
  const report = await verifyFile(file, options);
  process.exitCode = EXIT_CODES[report.outcome];
  if (options.json) printJson(report);
  else print(reportText(report, file));
};

/** `palimpsest verify --live`: on the data folder or servers of its own, or with `--url` by a running service. */
const verifyLive = (file: string | undefined, options: VerifyOptions, command: Command): Promise<void> => {
  if (file !== undefined) command.error('error: --live verifies the installation: leave the file out');
  return withService(options, async ({ queries }) => {
    const { policy, remember: memoryFile } = options;
    if (policy !== undefined) await policyIn(policy); // Its errors name the file.
    const memory = memoryFile === undefined ? [] : await readMemory(memoryFile);
    const trust = {
      ...(policy !== undefined && { policy: new TextDecoder().decode(await bytesOf(policy)) }),
      remembered: memory,
    };
    const report = await withProgress((onProgress) => queries.execute(new VerifyLive(trust, onProgress)));
    if (memoryFile !== undefined && report.outcome === 'valid')
      await remember(memoryFile, memory, ...report.heads);
    process.exitCode = EXIT_CODES[report.outcome];
    if (options.json) printJson(report);
    else print(liveReportText(report));
  });
};

const PARTS = { log: 'entries of the logs', events: 'events', rows: 'rows' } as const;

/** Reports the progress, or the time for which a service over HTTP has been at work. */
const withProgress = async <Result>(
  work: (onProgress: (progress: LiveProgress) => void) => Promise<Result>,
): Promise<Result> => {
  const progress = new Progress('verify --live');
  let state: ProgressState | undefined;
  const timer = setInterval(
    () => progress.update(state ?? { detail: `${Math.round(progress.elapsedMs / 1_000)} s` }),
    1_000,
  );
  try {
    return await work(({ part, done, total }) => {
      state = { detail: PARTS[part], ...(total > 0 && part !== 'rows' && { fraction: done / total }) };
      progress.update(state);
    });
  } finally {
    clearInterval(timer);
    progress.stop();
  }
};

/** @throws {AppError} `unreadable-file`, `invalid-settings` for a policy or a memory of another form. */
const verifyFile = async (
  file: string,
  { policy, remember: memoryFile }: Pick<VerifyOptions, 'policy' | 'remember'> = {},
): Promise<Report> => {
  const bytes = await bytesOf(file);
  const memory = memoryFile === undefined ? undefined : await readMemory(memoryFile);
  const report = await verifyBundle(bytes, {
    ...(policy !== undefined && { policy: await policyIn(policy) }),
    ...(memory && { remembered: memory }),
    replay: replayBundle,
  });
  if (memoryFile !== undefined && memory && report.head) await remember(memoryFile, memory, report.head);
  return report;
};

/** @throws {AppError} `unwritable-file`. */
const writePage = async (file: string): Promise<void> => {
  await copyFile(projectRoot('dist/programs/verify.html'), file).catch((cause: unknown) => {
    throw new AppError('unwritable-file', `${file} cannot be written: give a file in a folder that exists`, {
      cause,
    });
  });
  note(`${file}: open it in a browser`);
};

const policyIn = async (file: string) => {
  const text = await bytesOf(file);
  try {
    return parsePolicy(text);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw new AppError('invalid-settings', `${file} is no policy: ${error.message}`);
  }
};

const bytesOf = (file: string): Promise<Uint8Array> =>
  readFile(file).catch((cause: unknown) => {
    throw unreadableFile(file, cause);
  });
