import { call, type Part } from '@app/testing/providers';
import type { Framework } from './frameworks.js';

/** An agent of the command line, and how it is run without a terminal. */
export type RealAgent = Framework & {
  /** Its name in `palimpsest run NAME`. */
  readonly run: string;
  /** Returns its arguments for a prompt; `isFirst`: in a new session, otherwise it continues the last one. */
  readonly args: (prompt: string, isFirst: boolean) => readonly string[];
  /** Returns its call of the tool that prints a file of the folder. */
  readonly print: (file: string, call: string) => Part;
  readonly env?: Readonly<Record<string, string>>;
};

const shell =
  (tool: string, more: Readonly<Record<string, string>> = {}) =>
  (file: string, id: string): Part =>
    call(tool, { command: `cat ${file}`, ...more }, id);

/** Codex, also a column of the ten complaints. */
export const CODEX: RealAgent = {
  ...{ name: 'codex', run: 'codex', package: '@openai/codex', install: ['@openai/codex@0.171'] },
  // Instructions and tools take 10,000 tokens.
  scale: 4,
  args: (prompt, isFirst) => [
    ...['exec', ...(isFirst ? [] : ['resume', '--last'])],
    ...['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', 'gpt-5.1'],
    // Or it shortens pages before any request has them.
    ...['-c', 'tool_output_token_limit=20000', prompt],
  ],
  print: (file, id) => call('exec_command', { cmd: `cat ${file}` }, id),
};

/** The last version that runs on Node 20. */
const CLAUDE: RealAgent = {
  ...{ name: 'agent-claude', run: 'claude', protocol: 'anthropic', hasInstallScript: true },
  ...{ package: '@anthropic-ai/claude-code', install: ['@anthropic-ai/claude-code@2.1.197'] },
  args: (prompt, isFirst) => [
    ...['-p', prompt, ...(isFirst ? [] : ['--continue'])],
    ...['--model', 'claude-opus-4-6', '--allowedTools', 'Bash'],
  ],
  print: shell('Bash', { description: 'Prints a page' }),
  env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
};

/** The last version under this name, and the last one that runs on Node 20. */
const PI: RealAgent = {
  ...{ name: 'agent-pi', run: 'pi', package: '@mariozechner/pi-coding-agent' },
  install: ['@mariozechner/pi-coding-agent@0.73'],
  args: (prompt, isFirst) => [
    ...['-p', '--provider', 'openai', '--model', 'gpt-5.1', ...(isFirst ? [] : ['--continue']), prompt],
  ],
  print: shell('bash'),
};

export const REAL_AGENTS: readonly RealAgent[] = [
  CLAUDE,
  { ...CLAUDE, name: 'agent-claude-22', node: '22', install: ['@anthropic-ai/claude-code@2.1.332'] },
  CODEX,
  {
    ...{ name: 'agent-opencode', run: 'opencode', hasInstallScript: true },
    ...{ package: 'opencode-ai', install: ['opencode-ai@1.18'] },
    args: (prompt, isFirst) => [
      ...['run', '-m', 'openai/gpt-5.1', ...(isFirst ? ['--title', 'reader'] : ['--continue']), prompt],
    ],
    print: shell('bash', { description: 'Prints a page' }),
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ autoupdate: false, share: 'disabled' }) },
  },
  PI,
  {
    ...{ ...PI, name: 'agent-pi-1', node: '22' },
    ...{ package: '@earendil-works/pi-coding-agent', install: ['@earendil-works/pi-coding-agent@1'] },
  },
];
