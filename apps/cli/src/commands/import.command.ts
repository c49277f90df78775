import { homedir } from 'node:os';
import type { ProfileSource } from '@app/domain';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { agent as agentName, label, project as projectName } from '../description-options.js';
import { loadEngine } from '../engine.js';
import { chosen } from '../imports/discover/choose.js';
import {
  type DiscoveredSession,
  discover,
  sourcesOf,
  unreadDatabases,
} from '../imports/discover/discover.js';
import { findFiles } from '../imports/find-files.js';
import { fileSource, type Source } from '../imports/source.js';
import { type GlobalOptions, windowSize } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { json, note, print } from '../output/print.js';
import { reportError } from '../output/report-error.js';
import { countText } from '../output/value-text.js';
import { profileSource } from '../profile-option.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';
import { subjectNames } from '../tenants/erase.command.js';

type Options = GlobalOptions & {
  readonly profile: ProfileSource;
  readonly window?: number;
  readonly model?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly label: Readonly<Record<string, string>>;
  readonly subject: readonly string[];
  readonly progress?: boolean;
  readonly discover?: boolean;
  readonly all?: boolean;
};

/** Percent of growth; an import takes the same little memory for a file of any size. */
const GROWTH = 20;

/** Defines `palimpsest import FILE…`, which imports recorded sessions turn by turn. */
export const importCommand = (): Command =>
  withNotes(new Command('import'), {
    details:
      'Imports turn by turn. Files in folders and files that patterns match are imported one by one; a failed file does not stop the others. Importing a file twice changes nothing.',
    json: 'a line for each session: `session`, `format`, `messages`, `turns`, `tokens`, `compactions`, `toolCalls`, `skippedLines`, `skipped` (`line`, `reason`; at most 1,000). The list of --discover: `number`, `format`, `id`, `project`, `file`, `size` (bytes), `startedAt`, `changedAt`',
    examples: [
      'palimpsest import ~/.claude/projects/*/*.jsonl --window 200k',
      'palimpsest import --discover',
    ],
    guide: 'importing.md',
  })
    .description('Import recorded sessions; the format is detected')
    .argument('[sources...]', 'transcripts, folders or patterns; with --discover, numbers or IDs of sessions')
    .option(
      '--discover',
      'list the sessions of agents on this computer; import the named ones, or all with --all',
    )
    .option('--all', 'with --discover: import all listed sessions')
    .option('--progress', 'show the progress on stderr even if it is no terminal')
    .option('--profile <profile>', 'policy of the sessions: a name, or a JSON file', profileSource, 'core')
    .option('--window <tokens>', "window of the sessions, such as 32k (default: their model's)", windowSize)
    .option('--model <model>', "model of the sessions (default: the transcript's)")
    .option('--agent <agent>', "agent program (default: the format's)", agentName)
    .option('--project <project>', "project of the sessions (default: the transcript's)", projectName)
    .option('--label <name=value>', 'label of the sessions; may be repeated', label, {})
    .option('--subject <name>', 'data subject of the messages; may be repeated', subjectNames, [])
    .action(async (named: string[], _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      (await loadEngine()).boundHeapGrowth(GROWTH);
      if (options.all && !options.discover) command.error("error: option '--all' goes with '--discover'");
      if (!options.discover) {
        if (named.length === 0)
          command.error("error: missing required argument 'sources': name one, or --discover");
        const groups = named.map(
          (name) => async () => (await findFiles(name)).map((file) => () => fileSource(file)),
        );
        return withService(options, (service) => importAll(service, groups, options));
      }
      const sessions = await discover(homedir(), process.env);
      if (named.length === 0 && !options.all) {
        list(sessions, options);
        for (const file of await unreadDatabases(homedir(), process.env))
          note(`${file} is a database of OpenCode: its sessions come in by \`opencode export\``);
        return;
      }
      const selected = options.all ? sessions : chosen(sessions, named);
      const groups = selected.map(
        (session) => async () => (await sourcesOf(session)).map((source) => async () => source),
      );
      return withService(options, (service) => importAll(service, groups, options));
    });

type Group = () => Promise<readonly (() => Promise<Source>)[]>;

/** Imports the groups one after another; a failure is reported and does not affect the others. */
const importAll = async (service: Service, groups: readonly Group[], options: Options): Promise<void> => {
  for (const group of groups) {
    try {
      const sources = await group();
      const isAlone = groups.length === 1 && sources.length === 1;
      for (const source of sources) await importOne(service, source, options, isAlone);
    } catch (error) {
      if (groups.length === 1) throw error;
      process.exitCode = reportError(error);
    }
  }
};

const importOne = async (
  service: Service,
  source: () => Promise<Source>,
  options: Options,
  isAlone: boolean,
): Promise<void> => {
  try {
    const opened = await source();
    const { label: labels, subject: subjects, ...settings } = options;
    const given = { ...settings, labels, ...(subjects.length > 0 && { subjects }) };
    const { sessions, skipped, skippedLines } = await service.importSource(opened, given);
    for (const { line, reason } of skipped) note(`${opened.name}: line ${line} was skipped: ${reason}`);
    const more = skippedLines - skipped.length;
    if (more > 0) note(`${opened.name}: ${countText(more, 'more line')} skipped`);
    if (sessions.length === 0) note(`${opened.name}: holds no message, and so no session`);
    for (const session of sessions) {
      print(
        options.json ? json({ ...session, skippedLines, skipped }) : sentence({ ...session, skippedLines }),
      );
    }
  } catch (error) {
    if (isAlone) throw error;
    process.exitCode = reportError(error);
  }
};

type Numbered = DiscoveredSession & { readonly number: number };

const COLUMNS: readonly Column<Numbered>[] = [
  { name: 'number', of: ({ number }) => number, isNumber: true },
  { name: 'format', of: ({ agent }) => agent },
  { name: 'changed', of: ({ changedAt }) => changedAt.slice(0, 16).replace('T', ' ') },
  { name: 'MB', of: ({ size }) => (size === undefined ? null : (size / 1e6).toFixed(1)), isNumber: true },
  { name: 'id', of: ({ id }) => id, cutTo: 12 },
  { name: 'project', of: ({ project }) => project ?? null, cutTo: 16 },
];

const list = (sessions: readonly DiscoveredSession[], options: Options): void => {
  if (options.json) {
    for (const [at, { agent, ...session }] of sessions.entries())
      print(json({ number: at + 1, format: agent, ...session }));
  } else if (sessions.length === 0) {
    print('no sessions of Claude Code, Codex, pi, OpenCode or Gemini CLI are kept on this computer');
  } else {
    const numbered = sessions.map((session, at) => ({ ...session, number: at + 1 }));
    print(fittingTable(COLUMNS, numbered));
    note('import some: palimpsest import --discover NUMBER|ID…, or all of them: --all');
  }
};

type Line = Awaited<ReturnType<Service['importSource']>>['sessions'][number] & {
  readonly skippedLines: number;
};

const sentence = (line: Line): string =>
  `${line.session} (${line.format}): ${countText(line.messages, 'message')} in ${countText(line.turns, 'turn')}, ` +
  `${countText(line.toolCalls, 'tool call')}, ${countText(line.tokens, 'counted token')}, ` +
  `${countText(line.compactions, 'compaction')}, ${countText(line.skippedLines, 'skipped line')}`;
