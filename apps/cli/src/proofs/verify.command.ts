import { Command, type ErrorOptions } from 'commander';
import { withNotes } from '../command-notes.js';
import type { VerifyOptions } from './verify.js';

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
      process.exitCode = NOTHING_VERIFIED; // Until there is a report.
      const { verify } = await import('./verify.js');
      await verify(file, command.optsWithGlobals<VerifyOptions>(), command);
    });

/** Other commands report wrong usage with 2, which is an outcome here. */
class VerifyCommand extends Command {
  override error(message: string, options?: ErrorOptions): never {
    return super.error(message, { ...options, exitCode: NOTHING_VERIFIED });
  }
}
