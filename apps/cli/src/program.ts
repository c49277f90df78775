import { readFileSync } from 'node:fs';
import { Command, Help, type HelpContext } from 'commander';
import { backupCommand } from './backup/backup.command.js';
import { restoreCommand } from './backup/restore.command.js';
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
import { serveCommand } from './commands/serve.command.js';
import { sessionsCommand } from './commands/sessions.command.js';
import { usageCommand } from './commands/usage.command.js';
import { doctorCommand } from './doctor/doctor.command.js';
import { diffCommand } from './explanations/diff.command.js';
import { explainCommand } from './explanations/explain.command.js';
import { messageCommand } from './explanations/message.command.js';
import { profilesCommand } from './explanations/profiles.command.js';
import { promptsCommand } from './explanations/prompts.command.js';
import { provenanceCommand } from './explanations/provenance.command.js';
import { searchCommand } from './explanations/search.command.js';
import { whatIfCommand } from './explanations/what-if.command.js';
import { extractCommand } from './extract/extract.command.js';
import { closeCommand } from './lifecycle/close.command.js';
import { deferCommand, releaseCommand } from './lifecycle/defer.command.js';
import { forkCommand } from './lifecycle/fork.command.js';
import { pinCommand, unpinCommand } from './lifecycle/pin.command.js';
import { resetCommand } from './lifecycle/reset.command.js';
import { revertCommand } from './lifecycle/revert.command.js';
import { settingsCommand } from './lifecycle/settings.command.js';
import { mcpCommand } from './mcp/mcp.command.js';
import { appendCommand } from './messages/append.command.js';
import { completeTurnCommand } from './messages/complete-turn.command.js';
import { openCommand } from './messages/open.command.js';
import { reportUsageCommand } from './messages/report-usage.command.js';
import { modelsCommand } from './models/models.command.js';
import { refuseTenantOverHttp, withGlobalOptions } from './options.js';
import { projectRoot } from './project-root.js';
import { logCommand } from './proofs/log.command.js';
import { verifyProofCommand } from './proofs/verify.command.js';
import { holdsCommand } from './protection/holds.command.js';
import { retentionCommand } from './protection/retention.command.js';
import { composeCommand } from './requests/compose.command.js';
import { reportEditsCommand } from './requests/report-edits.command.js';
import { reportOverflowCommand } from './requests/report-overflow.command.js';
import { runCommand } from './run/run.command.js';
import { eraseCommand, erasuresCommand } from './tenants/erase.command.js';
import { keysCommand } from './tenants/keys.command.js';
import { limitsCommand } from './tenants/limits.command.js';
import { secretsCommand } from './tenants/secrets.command.js';
import { summarizersCommand } from './tenants/summarizers.command.js';
import { tenantsCommand } from './tenants/tenants.command.js';
import { usageError } from './usage-error.js';
import { webhooksCommand } from './webhooks/webhooks.command.js';

/** Builds the complete command line. */
export const program = (): Command => {
  const root = withGlobalOptions(new Command('palimpsest'))
    .description('Compacts the context of LLM agents and keeps the proof.')
    .version(version(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      optionDescription: (option) =>
        new Help().optionDescription(option).replace(/ \(default: (false|\[\]|\{\}|"")\)/, ''),
      minWidthToWrap: 30,
    })
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .helpOption(false)
        .description('Print the help of a command')
        .helpGroup('Start:'),
    )
    .showHelpAfterError(false);
  for (const [heading, commands] of Object.entries(groups()))
    for (const command of commands) root.addCommand(withSingular(command).helpGroup(heading));
  for (const [parent, command] of familyOf(root)) command.copyInheritedSettings(parent).exitOverride();
  for (const [, command] of familyOf(root))
    if (command.commands.length > 0) command.helpCommand('help [command]', 'Print the help of a command');
  for (const command of [root, ...familyOf(root).map(([, below]) => below)])
    command.configureOutput({
      outputError: (text, write) => write(`palimpsest: ${usageError(text, command)}\n`),
    });
  for (const command of [root, ...familyOf(root).map(([, below]) => below)]) refuseUnknownHelp(command);
  root.exitOverride();
  root.addHelpText('after', EXAMPLES);
  root.hook('preAction', refuseTenantOverHttp);
  return root;
};

/** Rejects `help WORD` for an unknown word; commander would print the help of `command` instead. */
const refuseUnknownHelp = (command: Command): void => {
  const help = command.help.bind(command);
  command.help = (context?: HelpContext | ((text: string) => string)): never => {
    const [first, word] = command.args;
    const isUnknown = typeof context === 'object' && context.error && first === 'help' && word !== undefined;
    if (isUnknown) command.error(`unknown command '${word}'`, { code: 'commander.unknownCommand' });
    return typeof context === 'function' ? help(context) : help(context);
  };
};

/** Returns the commands by their heading in the help. */
const groups = (): Readonly<Record<string, readonly Command[]>> => ({
  'Start:': [demoCommand(), serveCommand(), runCommand(), mcpCommand(), doctorCommand()],
  'Sessions:': [
    sessionsCommand(),
    openCommand(),
    appendCommand(),
    completeTurnCommand(),
    importCommand(),
    exportCommand(),
    settingsCommand(),
    pinCommand(),
    unpinCommand(),
    forkCommand(),
    resetCommand(),
    closeCommand(),
  ],
  'Requests:': [
    contextCommand(),
    composeCommand(),
    reportUsageCommand(),
    reportOverflowCommand(),
    reportEditsCommand(),
  ],
  'Compactions:': [
    compactCommand(),
    whatIfCommand(),
    revertCommand(),
    deferCommand(),
    releaseCommand(),
    profilesCommand(),
    promptsCommand(),
    modelsCommand(),
    extractCommand(),
  ],
  'Audit:': [
    auditCommand(),
    explainCommand(),
    diffCommand(),
    provenanceCommand(),
    messageCommand(),
    searchCommand(),
    eventsCommand(),
    readsCommand(),
    usageCommand(),
    verifyProofCommand(),
    logCommand(),
  ],
  'Retention:': [retentionCommand(), holdsCommand()],
  'Tenants:': [tenantsCommand(), keysCommand(), limitsCommand(), secretsCommand(), summarizersCommand()],
  'Privacy:': [eraseCommand(), erasuresCommand()],
  'Operation:': [
    webhooksCommand(),
    projectionsCommand(),
    eventstoreCommand(),
    backupCommand(),
    restoreCommand(),
  ],
});

/** Commands with a plural name; each has its singular as an alias. */
const PLURALS: ReadonlySet<string> = new Set([
  ...['sessions', 'settings', 'profiles', 'prompts', 'models', 'events', 'reads', 'tenants', 'keys'],
  ...['erasures', 'holds', 'limits', 'secrets', 'summarizers', 'webhooks', 'projections'],
]);

const withSingular = (command: Command): Command =>
  PLURALS.has(command.name()) ? command.alias(command.name().slice(0, -1)) : command;

const EXAMPLES = `
Examples:
  palimpsest import ~/.claude/projects/*/*.jsonl --window 200k
  palimpsest context SESSION --as-of 120
  palimpsest compact SESSION --dry-run
  palimpsest audit --session SESSION --type CompactionCompleted
  palimpsest sessions --url http://127.0.0.1:8420

\`palimpsest COMMAND --help\` lists the options of a command. Documentation: docs/cli.md`;

/** Returns every command below `parent` with its parent, parents first. */
const familyOf = (parent: Command): readonly (readonly [parent: Command, command: Command])[] =>
  parent.commands.flatMap((command) => [[parent, command] as const, ...familyOf(command)]);

const version = (): string => {
  const { version: number } = JSON.parse(readFileSync(projectRoot('package.json'), 'utf8'));
  return String(number);
};
