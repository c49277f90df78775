import { type ChildProcess, execFileSync, type ForkOptions, fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SpawnedPostgres } from '@app/embedded-postgres';
import pg from 'pg';
import { type Launch, rootLaunch } from '../../../libs/embedded-postgres/src/account/launch.js';
import { installation } from '../../../libs/embedded-postgres/src/installation/installation.js';

export const isRoot = process.geteuid?.() === 0;

/** Resources of a test, released in reverse order. */
export class Started {
  readonly #ends: (() => Promise<unknown> | unknown)[] = [];

  /** Creates a folder for its owner only, as `mktemp -d` does. */
  folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'palimpsest-'));
    this.#ends.push(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    return path;
  }

  async server(spawning: Promise<SpawnedPostgres>): Promise<SpawnedPostgres> {
    const server = await spawning;
    this.#ends.push(() => server.stop());
    return server;
  }

  /** Starts another process that runs a server on the folder. */
  holder(dataDir: string, options: ForkOptions = {}): ChildProcess {
    const holder = fork(join(import.meta.dirname, 'holder.mjs'), [dataDir], { execArgv: [], ...options });
    this.#ends.push(() => kill(holder));
    return holder;
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}

/** Returns the holder's report on its server, or its error. */
export const answerOf = (holder: ChildProcess): Promise<Answer> =>
  new Promise((resolve, reject) => {
    holder.once('message', (message) => resolve(answerFrom(message)));
    holder.once('exit', (code) => reject(new Error(`the holder ended with ${code}`)));
  });

export type Answer = { readonly url: string; readonly pid: number; readonly code: string | undefined };

const answerFrom = (message: unknown): Answer => {
  const field = (name: string): unknown =>
    typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  const code = field('code');
  return {
    url: String(field('url')),
    pid: Number(field('pid')),
    code: code === undefined ? undefined : String(code),
  };
};

/** Kills a process, and resolves once it has exited. */
export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
};

/** Resolves once the condition holds, within the test's time limit. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await delay(10);
};

const ps = (column: string, pid: number): string => {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
};
export const parentOf = (pid: number): number => Number(ps('ppid', pid));
export const userOf = (pid: number): number => Number(ps('uid', pid));
export const isAlive = (pid: number): boolean => /^[^Z]/.test(ps('stat', pid));

export const query = async (url: string, text: string): Promise<readonly unknown[]> => {
  const client = new pg.Client(url);
  client.on('error', () => {}); // The server may be killed meanwhile.
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

/** Runs a statement as superuser in single-user mode. The server of the folder must not be running. */
export const asSuperuser = (dataDir: string, statement: string): void => {
  const { postgres, env } = installation(dataDir);
  const cluster = join(dataDir, 'cluster');
  const { uid, gid } = statSync(cluster);
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres'];
  const [program, ...before] = isRoot
    ? startedBy(rootLaunch({ uid, gid }, dataDir, import.meta.filename))
    : [];
  const account = program === undefined && isRoot ? { uid, gid } : {};
  const command = program === undefined ? [postgres, ...args] : [program, ...before, postgres, ...args];
  execFileSync(command[0] ?? postgres, command.slice(1), {
    ...{ input: `${statement}\n`, env, stdio: 'pipe', cwd: '/' },
    ...account,
  });
};

/**
 * Returns the command that the product uses to start programs as another user below a folder that only root may
 * enter.
 */
const startedBy = ({ execPath, execArgv = [] }: Launch): readonly string[] =>
  execPath === undefined ? [] : [execPath, ...execArgv.slice(0, -1)];

/** Writes one row, to detect later losses. */
export const remember = (url: string, word: string): Promise<unknown> =>
  query(url, `create table if not exists memory (word text); insert into memory values ('${word}')`);
export const memory = (url: string): Promise<readonly unknown[]> =>
  query(url, 'select word from memory order by word');
