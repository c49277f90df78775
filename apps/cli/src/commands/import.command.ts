import type { ProfileSource } from '@app/domain';
import { Command } from 'commander';
import { type GlobalOptions, windowSize } from '../options.js';
import { json, note, print } from '../output/print.js';
import { reportError } from '../output/report-error.js';
import { profileSource } from '../profile-option.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly profile: ProfileSource;
  readonly window?: number;
  readonly model?: string;
};

/** `palimpsest import FILE…`: plays recorded sessions in, turn by turn. */
export const importCommand = (): Command =>
  new Command('import')
    .description('play recorded sessions into the engine, turn by turn')
    .argument('<file...>', 'transcripts of Claude Code or pi, or Anthropic or OpenAI messages')
    .option('--profile <profile>', 'policy of the sessions: a name, or a JSON file', profileSource, 'core')
    .option('--window <tokens>', "their window, such as 32k (default: their model's)", windowSize)
    .option('--model <model>', "their model (default: the transcript's)")
    .action((files: string[], _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      return withService(options, async (service) => {
        for (const file of files) {
          try {
            const { sessions, skipped } = await service.importFile(file, options);
            for (const { line, reason } of skipped) note(`${file}: line ${line} was left out: ${reason}`);
            const skippedLines = skipped.length;
            for (const session of sessions) {
              print(
                options.json
                  ? json({ ...session, skippedLines, skipped })
                  : sentence({ ...session, skippedLines }),
              );
            }
          } catch (error) {
            // The other files are not to blame; those that were imported stay.
            if (files.length === 1) throw error;
            process.exitCode = reportError(error);
          }
        }
      });
    });

type Line = Awaited<ReturnType<Service['importFile']>>['sessions'][number] & {
  readonly skippedLines: number;
};

const sentence = (line: Line): string =>
  `${line.session} (${line.format}): ${line.messages} messages in ${line.turns} turns, ${line.toolCalls} tool calls, ` +
  `${line.tokens} tokens, ${line.compactions} compactions, ${line.skippedLines} lines left out`;
