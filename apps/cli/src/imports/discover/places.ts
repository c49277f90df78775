import { join } from 'node:path';

/** Environment variables that move the session folders of agents. */
export type Environment = Readonly<Record<string, string | undefined>>;
export type Agent = 'claude-code' | 'codex' | 'pi' | 'opencode' | 'gemini-cli';

/** Folder of an agent's sessions; `pattern` matches one file per session. */
export type Place = {
  readonly agent: Agent;
  readonly folder: string;
  readonly pattern: string;
};

/** Returns the session folders of all supported agents, whether they exist or not. */
export const placesOf = (home: string, env: Environment): readonly Place[] => {
  const config = folder(env.XDG_CONFIG_HOME, join(home, '.config'));
  const data = folder(env.XDG_DATA_HOME, join(home, '.local', 'share'));
  const claude = nonEmpty(env.CLAUDE_CONFIG_DIR)?.split(',') ?? [
    join(home, '.claude'),
    join(config, 'claude'),
  ];
  const codex = folder(env.CODEX_HOME, join(home, '.codex'));
  return [
    ...claude.map(
      (root): Place => ({
        agent: 'claude-code',
        folder: join(root.trim(), 'projects'),
        pattern: '*/!(agent-*).jsonl',
      }),
    ),
    // Codex compresses old sessions with zstd; they are listed and must be decompressed before an import.
    { agent: 'codex', folder: join(codex, 'sessions'), pattern: '**/{*.jsonl,*.jsonl.zst,rollout-*.json}' },
    { agent: 'codex', folder: join(codex, 'archived_sessions'), pattern: '**/*.jsonl{,.zst}' },
    {
      agent: 'pi',
      folder: folder(
        env.PI_CODING_AGENT_SESSION_DIR,
        join(folder(env.PI_CODING_AGENT_DIR, join(home, '.pi', 'agent')), 'sessions'),
      ),
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

/** Returns the databases of agents that keep sessions in one, whether they exist or not; imports do not read them. */
export const databasesOf = (home: string, env: Environment): Pick<Place, 'folder' | 'pattern'> => ({
  folder: join(folder(env.XDG_DATA_HOME, join(home, '.local', 'share')), 'opencode'),
  pattern: 'opencode*.db',
});

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
const folder = (value: string | undefined, otherwise: string): string => nonEmpty(value) ?? otherwise;
