import { copyFile, readFile } from 'node:fs/promises';
import { type LiveProgress, VerifyLive } from '@app/application';
import { AppError, unreadableFile } from '@app/kernel';
import { EXIT_CODES, type Report, verifyBundle } from '@app/proof';
import { parsePolicy, TlogError } from '@app/tlog';
import { Command, type ErrorOptions } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { note, print, printJson } from '../output/print.js';
import { Progress, type ProgressState } from '../output/progress.js';
import { projectRoot } from '../project-root.js';
import { withService } from '../session-run.js';
import { liveReportText } from './live-report-text.js';
import { readMemory, remember } from './memory.js';
import { replayBundle } from './replay-bundle.js';
import { reportText } from './report-text.js';

type Options = GlobalOptions & {
  readonly policy?: string;
  readonly remember?: string;
  readonly page?: string;
  readonly live?: boolean;
};

/** Exit code for wrong usage, files that cannot be read and services that do not answer: the other codes are outcomes. */
const NOTHING_VERIFIED = 5;

/** `palimpsest verify FILE` needs no service, no network and no secret; with `--live` it verifies an installation. */
export const verifyProofCommand = (): Command =>
  withNotes(new VerifyCommand('verify'), {
    details:
      'Needs no service, no network and no secret. Recomputes the hash of every event, follows proofs and signatures, and composes the requests again. --live works on the installation, or with --url on a running service: every event must have its leaf in a signed log, and every row must be as the events make it.',
    json: '`outcome` (`valid`, `invalid`, `incomplete`, `unknown-key`, `malformed`), `steps` (`step`, `status`, `detail`), `faults`, `manifest`, `head`, `witnesses`, `missingWitnesses`, `quorum` (`none`, `met`, `not-met`), `trust`; with --live the answer of `POST /v1/log/verification`',
    examples: [
      'palimpsest verify session.palimpsest --policy trusted.policy',
      'palimpsest verify session.palimpsest --remember heads.json',
      'palimpsest verify --page verify.html',
      'palimpsest verify --live --remember heads.json',
    ],
    guide: 'proofs.md',
  })
    .description(
      'Verify a proof bundle offline, or the installation: exit code 0 valid, 1 invalid, 2 incomplete, 3 unknown key, 4 malformed, 5 nothing was verified',
    )
    .argument('[file]', 'proof bundle, as `palimpsest export --proof` writes it')
    .option('--policy <file>', 'logs and witnesses that you trust, in the form of tlog-policy')
    .option('--remember <file>', 'compare with the heads in this file, and keep the new one there')
    .option('--live', 'verify every event and row of the installation against its logs, without a file')
    .option('--page <file>', 'write the verifier for browsers, one HTML file, and verify nothing')
    .action(async (file: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      process.exitCode = NOTHING_VERIFIED; // Until there is a report.
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
    });

/** Other commands report wrong usage with 2, which is an outcome here. */
class VerifyCommand extends Command {
  override error(message: string, options?: ErrorOptions): never {
    return super.error(message, { ...options, exitCode: NOTHING_VERIFIED });
  }
}

/** `palimpsest verify --live`: on the data folder or servers of its own, or with `--url` by a running service. */
const verifyLive = (file: string | undefined, options: Options, command: Command): Promise<void> => {
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
  { policy, remember: memoryFile }: Pick<Options, 'policy' | 'remember'> = {},
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
