import { type WireName, wireOf } from '@app/formats';
import { type AsOf, SessionId } from '@app/kernel';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { asOf, type GlobalOptions, logSize } from '../options.js';
import { json, printLine } from '../output/print.js';
import { exportHtml } from '../proofs/export-html.js';
import { exportProof } from '../proofs/export-proof.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly message?: string;
  readonly asOf?: AsOf;
  readonly format?: WireName;
  readonly proof?: boolean;
  readonly output?: string;
  readonly sealed?: boolean;
  readonly html?: boolean;
  readonly withContent?: boolean;
  readonly since?: number;
};

/** Options, each with the options of which it requires one. */
const NEEDED = [
  ['output', ['proof', 'html']],
  ['sealed', ['proof']],
  ['since', ['proof']],
  ['withContent', ['html']],
] as const;

/** Defines `palimpsest export SESSION`, which prints every appended message, including those behind a compaction. */
export const exportCommand = (): Command =>
  withNotes(new Command('export'), {
    details: 'Prints messages oldest first, including the ones that compactions replaced.',
    json: 'always JSON lines: `id`, `revision`, `role`, `synthetic` (`continuation` or `restated`; absent on messages of the caller), `content`',
    examples: [
      'palimpsest export SESSION --format anthropic',
      'palimpsest export SESSION --proof -o session.palimpsest',
      'palimpsest export SESSION --html',
    ],
    guide: 'proofs.md',
  })
    .description('Export all messages of a session as JSON lines')
    .argument('<session>', 'session ID')
    .addOption(
      new Option('--format <format>', 'provider API whose form the lines have').choices([
        'anthropic',
        'openai-chat',
        'openai-responses',
      ]),
    )
    .option('--as-of <state>', 'only messages up to a revision, a time or the state of a request ID', asOf)
    .option('--message <id>', 'only this message, complete even if requests shorten it')
    .option('--proof', 'export a proof bundle, which `palimpsest verify` verifies offline')
    .addOption(
      new Option('--html', 'export one HTML file that works offline and verifies itself').conflicts('proof'),
    )
    .option('--with-content', 'put messages and summaries into the HTML file')
    .option('-o, --output <file>', 'write the proof bundle or HTML file to this file')
    .option('--sealed', 'leave content encrypted in the proof bundle')
    .option('--since <size>', 'prove that the log continues its tree of this size', logSize)
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      for (const [name, needed] of NEEDED)
        if (options[name] !== undefined && needed.every((one) => !options[one])) {
          const flag = name === 'withContent' ? 'with-content' : name;
          command.error(`error: option '--${flag}' needs --${needed.join(' or --')}`);
        }
      if (options.html) return exportHtml(ref, options);
      if (options.proof) return exportProof(ref, options);
      return withService(options, async (service) => {
        for await (const message of service.messages(ref, options.message, options.asOf)) {
          const { role, content: blocks } = message;
          const lines = options.format ? wireOf(options.format).itemsOf({ role, blocks }) : [message];
          for (const line of lines) await printLine(json(line));
        }
      });
    });
