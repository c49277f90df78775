import { copyFile, readFile } from 'node:fs/promises';
import { AppError } from '@app/kernel';
import { EXIT_CODES, type Report, verifyBundle } from '@app/proof';
import { parsePolicy, TlogError } from '@app/tlog';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { note, print, printJson } from '../output/print.js';
import { projectRoot } from '../project-root.js';
import { readMemory, remember } from './memory.js';
import { replayBundle } from './replay-bundle.js';
import { reportText } from './report-text.js';

type Options = GlobalOptions & {
  readonly policy?: string;
  readonly remember?: string;
  readonly page?: string;
};

/** `palimpsest verify FILE`: needs no service, no network and no secret. */
export const verifyProofCommand = (): Command =>
  new Command('verify')
    .description(
      'Verify a proof bundle offline: exit code 0 valid, 1 invalid, 2 incomplete, 3 unknown key, 4 malformed',
    )
    .argument('[file]', 'proof bundle, as `palimpsest export --proof` writes it')
    .option('--policy <file>', 'logs and witnesses that you trust, in the form of tlog-policy')
    .option('--remember <file>', 'compare with the heads in this file, and keep the new one there')
    .option('--page <file>', 'write the verifier for browsers, one HTML file, and verify nothing')
    .action(async (file: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (options.page !== undefined) return writePage(options.page);
      if (file === undefined) return command.error("error: missing required argument 'file'");
      const report = await verifyFile(file, options);
      process.exitCode = EXIT_CODES[report.outcome];
      if (options.json) printJson(report);
      else print(reportText(report, file));
    });

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
    throw new AppError('unreadable-file', `${file} cannot be read: give a readable file`, { cause });
  });
