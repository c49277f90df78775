import { type WireName, wireOf } from '@app/formats';
import { type AsOf, SessionId } from '@app/kernel';
import { Command, Option } from 'commander';
import { asOf, type GlobalOptions, logSize } from '../options.js';
import { json, printLine } from '../output/print.js';
import { exportProof } from '../proofs/export-proof.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly message?: string;
  readonly asOf?: AsOf;
  readonly format?: WireName;
  readonly proof?: boolean;
  readonly output?: string;
  readonly sealed?: boolean;
  readonly since?: number;
};

const PROOF_OPTIONS = ['output', 'sealed', 'since'] as const;

/** Defines `palimpsest export SESSION`, which prints every appended message, including those behind a compaction. */
export const exportCommand = (): Command =>
  new Command('export')
    .description('Export all messages of a session as JSON lines')
    .argument('<session>', 'session ID')
    .addOption(
      new Option('--format <format>', 'in the form of a provider API, an item a line').choices([
        'anthropic',
        'openai-chat',
        'openai-responses',
      ]),
    )
    .option('--as-of <state>', 'messages up to a revision, a time or what a request was composed from', asOf)
    .option('--message <id>', 'this message alone: what a request holds a part of, or a line in place of')
    .option('--proof', 'export a proof bundle, which `palimpsest verify` verifies offline')
    .option('-o, --output <file>', 'write the proof bundle to this file')
    .option('--sealed', 'leave content encrypted in the proof bundle')
    .option('--since <size>', 'prove that the log continues its tree of this size', logSize)
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      if (options.proof) return exportProof(ref, options);
      for (const name of PROOF_OPTIONS)
        if (options[name] !== undefined) command.error(`error: option '--${name}' needs --proof`);
      return withService(options, async (service) => {
        for await (const message of service.messages(ref, options.message, options.asOf)) {
          const { role, content: blocks } = message;
          const lines = options.format ? wireOf(options.format).itemsOf({ role, blocks }) : [message];
          for (const line of lines) await printLine(json(line));
        }
      });
    });
