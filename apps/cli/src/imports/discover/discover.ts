import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { glob } from 'tinyglobby';
import { fileSource, type Source } from '../source.js';
import { headOf } from './head.js';
import { type Agent, databasesOf, type Environment, type Place, placesOf } from './places.js';

/** A session of an agent on this computer. */
export type DiscoveredSession = {
  readonly agent: Agent;
  /** ID of the agent's session; by default the name of its file. */
  readonly id: string;
  /** Working folder of the session, or the agent's name for the project. */
  readonly project: string;
  readonly file: string;
  /** Bytes; absent for OpenCode, which stores one file per message part. */
  readonly size?: number;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly changedAt: string;
};

/**
 * Finds the sessions that agents keep on this computer, most recently used first. Reads only the first bytes of each
 * file.
 */
export const discover = async (home: string, env: Environment): Promise<readonly DiscoveredSession[]> => {
  const found = await Promise.all(placesOf(home, env).map(sessionsIn));
  return found
    .flat()
    .sort((a, b) => (a.changedAt === b.changedAt ? compare(a.id, b.id) : compare(b.changedAt, a.changedAt)));
};

/** Returns databases in which an agent keeps sessions; their sessions are not discovered. */
export const unreadDatabases = async (home: string, env: Environment): Promise<readonly string[]> => {
  const { folder, pattern } = databasesOf(home, env);
  return filesIn(folder, pattern);
};

/** Returns the transcripts of a session, followed by those of its sub-agents. */
export const sourcesOf = async ({
  agent,
  file,
  id,
}: Pick<DiscoveredSession, 'agent' | 'file' | 'id'>): Promise<readonly Source[]> => {
  if (agent === 'opencode') return [await openCodeSource(file)];
  const agents = agent === 'claude-code' ? await agentsOf(file, id) : [];
  return Promise.all([file, ...agents].map(fileSource));
};

/** Finds sub-agents of Claude Code: in a folder named after the session, or in earlier versions beside all sessions. */
const agentsOf = async (file: string, id: string): Promise<readonly string[]> => {
  const own = await filesIn(file.replace(/\.jsonl$/, ''), 'subagents/**/agent-*.jsonl');
  const beside = await filesIn(dirname(file), 'agent-*.jsonl');
  const heads = await Promise.all(beside.map((one) => headOf(one).catch(() => undefined)));
  return [...own, ...beside.filter((_, at) => heads[at]?.id === id)];
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const filesIn = async (folder: string, pattern: string): Promise<readonly string[]> =>
  (await glob(pattern, { cwd: folder, absolute: true, dot: true })).sort();

const sessionsIn = async (place: Place): Promise<readonly DiscoveredSession[]> => {
  const sessions: DiscoveredSession[] = [];
  for (const file of await filesIn(place.folder, place.pattern)) {
    // Unreadable files, and files deleted during the search, are left out.
    const session = await sessionOf(place, file).catch(() => undefined);
    if (session) sessions.push(session);
  }
  return sessions;
};

const sessionOf = async (place: Place, file: string): Promise<DiscoveredSession | undefined> => {
  const [{ size, mtime }, head] = await Promise.all([stat(file), headOf(file)]);
  if (size === 0) return undefined;
  return {
    agent: place.agent,
    id: head.id ?? basename(file).replace(/\.jsonl?(?:\.zst)?$/, ''),
    project: (await projectOf(place, file)) ?? head.project ?? firstFolder(place, file),
    file,
    ...(place.agent !== 'opencode' && { size }),
    ...(head.startedAt !== undefined && { startedAt: head.startedAt }),
    changedAt: mtime.toISOString(),
  };
};

/** Reads the project's folder from the file that Gemini CLI keeps beside the sessions, which have only its digest. */
const projectOf = async ({ agent, folder }: Place, file: string): Promise<string | undefined> => {
  if (agent !== 'gemini-cli') return undefined;
  const [project] = relative(folder, file).split(sep);
  const root = await readFile(join(folder, project ?? '', '.project_root'), 'utf8').catch(() => '');
  return root.trim() === '' ? undefined : root.trim();
};

const firstFolder = ({ folder }: Place, file: string): string =>
  relative(folder, dirname(file)).split(sep)[0] ?? '';

/**
 * Reads an OpenCode session, stored as one file per message and per part, as its export. Keeps one message in memory at
 * a time.
 *
 * @param file the session's file in `storage/session/PROJECT/`.
 */
const openCodeSource = async (file: string): Promise<Source> => {
  const storage = join(file, '..', '..', '..');
  const messages = join(storage, 'message', basename(file, '.json'));
  const names = await jsonIn(messages);
  return { name: file, size: 0, bytes: () => exported(file, messages, names, storage) };
};

async function* exported(
  file: string,
  folder: string,
  names: readonly string[],
  storage: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`{"info":${await readFile(file, 'utf8')},"messages":[`);
  for (const [at, name] of names.entries()) {
    const parts = join(storage, 'part', basename(name, '.json'));
    const texts = await Promise.all((await jsonIn(parts)).map((part) => readFile(join(parts, part), 'utf8')));
    const info = await readFile(join(folder, name), 'utf8');
    yield Buffer.from(`${at > 0 ? ',' : ''}\n{"info":${info},"parts":[${texts.join(',')}]}`);
  }
  yield Buffer.from(']}');
}

/** Returns JSON files sorted by name: IDs ascend with time. */
const jsonIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.json')).sort();
};
