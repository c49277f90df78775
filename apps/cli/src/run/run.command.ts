import { LADDER_POLICIES } from '@app/domain';
import { ownMember } from '@app/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { customer, label, profileName, project, title, user } from '../description-options.js';
import { windowSize } from '../options.js';
import { AGENTS, type Agent } from './agents.js';
import type { RunOptions } from './run-agent.js';

/** `palimpsest run AGENT -- ARGS`: an agent whose requests go through the gateway, for this process only. */
export const runCommand = (): Command =>
  withNotes(new Command('run'), {
    details:
      'Sets the address of the gateway for this process only, passes the exit code and signals through, and reports the savings on stderr. Without --url it uses the service of the data folder, or starts one that ends with the last run. The agent gets a key of its own, revoked at the end. Transcripts of gemini are imported after the run instead.',
    json: 'nothing: stdout is the agent’s',
    examples: ['palimpsest run claude', 'palimpsest run codex --recall -- exec "Fix the tests"'],
    guide: 'run.md',
  })
    .description('Run an agent through the gateway, with a service that is started if none runs')
    .argument('<agent>', `one of ${Object.keys(AGENTS).join(', ')}`, agentNamed)
    .argument('[args...]', 'arguments of the agent, behind --')
    .option('--profile <profile>', 'profile of new sessions', profileName)
    .option('--window <tokens>', "window of new sessions, such as 32k (default: their model's)", windowSize)
    .option('--recall', 'offer the model the tool that reads compacted messages')
    .addOption(
      new Option('--ladder <policy>', "ladder policy of its requests (default: the profile's)").choices(
        LADDER_POLICIES,
      ),
    )
    .option('--title <text>', 'title of new sessions', title)
    .option(
      '--project <project>',
      'project of new sessions (default: the name of the current folder)',
      project,
    )
    .option('--user <id>', 'user ID, stored as label "user"', user)
    .option('--customer <id>', 'customer ID, stored as label "customer" and as a data subject', customer)
    .option('--label <name=value>', 'label of new sessions; may be repeated', label, {})
    .action(async (agent: Agent, args: string[], _, command: Command) => {
      const { runAgent } = await import('./run-agent.js');
      process.exitCode = await runAgent(agent, args, command.optsWithGlobals<RunOptions>());
    });

const agentNamed = (name: string): Agent => {
  const agent = ownMember(AGENTS, name);
  if (agent) return agent;
  throw new InvalidArgumentError(`give one of ${Object.keys(AGENTS).join(', ')}`);
};
