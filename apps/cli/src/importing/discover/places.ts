import { join } from 'node:path';

/** Variables of the environment, by which agents are told to keep their sessions elsewhere. */
export type Environment = Readonly<Record<string, string | undefined>>;
export type Agent = 'claude-code' | 'codex' | 'pi' | 'opencode' | 'gemini-cli';

/** Where an agent keeps its sessions: the files in `folder` that `pattern` matches, one a session. */
export type Place = {
  readonly agent: Agent;
  readonly folder: string;
  readonly pattern: string;
  /** Relative to a session's file without its ending: files that belong to it, such as those of its sub-agents. */
  readonly beside?: string;
};

/** The folders of the agents on this computer, whether they are there or not. */
export const placesOf = (home: string, env: Environment): readonly Place[] => {
  const config = folder(env.XDG_CONFIG_HOME, join(home, '.config'));
  const data = folder(env.XDG_DATA_HOME, join(home, '.local', 'share'));
  const claude = given(env.CLAUDE_CONFIG_DIR)?.split(',') ?? [join(home, '.claude'), join(config, 'claude')];
  const codex = folder(env.CODEX_HOME, join(home, '.codex'));
  return [
    ...claude.map(
      (root): Place => ({
        agent: 'claude-code',
        folder: join(root.trim(), 'projects'),
        pattern: '*/!(agent-*).jsonl',
        beside: 'subagents/*.jsonl',
      }),
    ),
    { agent: 'codex', folder: join(codex, 'sessions'), pattern: '**/*.jsonl' },
    { agent: 'codex', folder: join(codex, 'archived_sessions'), pattern: '**/*.jsonl' },
    {
      agent: 'pi',
      folder: join(folder(env.PI_CODING_AGENT_DIR, join(home, '.pi', 'agent')), 'sessions'),
      pattern: '**/*.jsonl',
    },
    { agent: 'opencode', folder: join(data, 'opencode', 'storage', 'session'), pattern: '*/*.json' },
    {
      agent: 'gemini-cli',
      folder: join(folder(env.GEMINI_CLI_HOME, home), '.gemini', 'tmp'),
      pattern: '*/chats/**/*.{json,jsonl}',
    },
  ];
};

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
const folder = (value: string | undefined, otherwise: string): string => given(value) ?? otherwise;
