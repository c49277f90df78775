import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { auditCommand } from './commands/audit.command.js';
import { compactCommand } from './commands/compact.command.js';
import { contextCommand } from './commands/context.command.js';
import { demoCommand } from './commands/demo.command.js';
import { eventsCommand } from './commands/events.command.js';
import { eventstoreCommand } from './commands/eventstore.command.js';
import { exportCommand } from './commands/export.command.js';
import { importCommand } from './commands/import.command.js';
import { projectionsCommand } from './commands/projections.command.js';
import { readsCommand } from './commands/reads.command.js';
import { sessionsCommand } from './commands/sessions.command.js';
import { usageCommand } from './commands/usage.command.js';
import { composeCommand } from './composing/compose.command.js';
import { reportEditsCommand } from './composing/report-edits.command.js';
import { reportOverflowCommand } from './composing/report-overflow.command.js';
import { diffCommand } from './explaining/diff.command.js';
import { explainCommand } from './explaining/explain.command.js';
import { messageCommand } from './explaining/message.command.js';
import { profilesCommand } from './explaining/profiles.command.js';
import { promptsCommand } from './explaining/prompts.command.js';
import { provenanceCommand } from './explaining/provenance.command.js';
import { whatIfCommand } from './explaining/what-if.command.js';
import { extractCommand } from './extracting/extract.command.js';
import { closeCommand } from './managing/close.command.js';
import { deferCommand, releaseCommand } from './managing/defer.command.js';
import { forkCommand } from './managing/fork.command.js';
import { pinCommand, unpinCommand } from './managing/pin.command.js';
import { resetCommand } from './managing/reset.command.js';
import { revertCommand } from './managing/revert.command.js';
import { settingsCommand } from './managing/settings.command.js';
import { modelsCommand } from './models/models.command.js';
import { refuseTenantOverHttp, withGlobalOptions } from './options.js';
import { visibleLine } from './output/visible.js';
import { projectRoot } from './project-root.js';
import { appendCommand } from './talking/append.command.js';
import { completeTurnCommand } from './talking/complete-turn.command.js';
import { openCommand } from './talking/open.command.js';
import { reportUsageCommand } from './talking/report-usage.command.js';
import { keysCommand } from './tenants/keys.command.js';
import { limitsCommand } from './tenants/limits.command.js';
import { secretsCommand } from './tenants/secrets.command.js';
import { summarizersCommand } from './tenants/summarizers.command.js';
import { tenantsCommand } from './tenants/tenants.command.js';

/** The whole command line. */
export const program = (): Command => {
  const root = withGlobalOptions(new Command('palimpsest'))
    .description('Compacts the context of LLM agents, and proves what it did.')
    .version(version(), '--version', 'print the version')
    .helpOption('--help', 'show what a command takes')
    .configureOutput({ outputError: (text, write) => write(`palimpsest: ${visibleLine(oneLine(text))}\n`) })
    .showHelpAfterError(false);
  const commands = [
    demoCommand(),
    importCommand(),
    openCommand(),
    appendCommand(),
    completeTurnCommand(),
    sessionsCommand(),
    contextCommand(),
    composeCommand(),
    reportOverflowCommand(),
    reportUsageCommand(),
    reportEditsCommand(),
    compactCommand(),
    whatIfCommand(),
    diffCommand(),
    explainCommand(),
    provenanceCommand(),
    messageCommand(),
    profilesCommand(),
    promptsCommand(),
    modelsCommand(),
    exportCommand(),
    extractCommand(),
    auditCommand(),
    readsCommand(),
    usageCommand(),
    eventsCommand(),
    revertCommand(),
    resetCommand(),
    pinCommand(),
    unpinCommand(),
    settingsCommand(),
    forkCommand(),
    deferCommand(),
    releaseCommand(),
    closeCommand(),
    projectionsCommand(),
    eventstoreCommand(),
    tenantsCommand(),
    keysCommand(),
    limitsCommand(),
    secretsCommand(),
    summarizersCommand(),
  ];
  for (const command of commands) root.addCommand(command);
  for (const [parent, command] of familyOf(root)) command.copyInheritedSettings(parent).exitOverride();
  root.exitOverride();
  root.hook('preAction', refuseTenantOverHttp);
  return root;
};

/** What commander says of wrong usage, on one line, and with the way out. */
const oneLine = (text: string): string => {
  const what = text
    .trim()
    .replace(/^error: /, '')
    .replace(/'([^']{100})[^']+'/g, "'$1…'")
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  if (/^unknown command/.test(what)) return `${what}: \`palimpsest --help\` lists them [unknown-command]`;
  const isTold = / is invalid\. /.test(what);
  return isTold ? what : `${what}: add --help to see what the command takes`;
};

/** Every command below `parent` with the one that it belongs to, from the top down. */
const familyOf = (parent: Command): readonly (readonly [parent: Command, command: Command])[] =>
  parent.commands.flatMap((command) => [[parent, command] as const, ...familyOf(command)]);

const version = (): string => {
  const { version: number } = JSON.parse(readFileSync(projectRoot('package.json'), 'utf8'));
  return String(number);
};
