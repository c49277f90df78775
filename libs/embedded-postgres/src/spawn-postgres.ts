import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@app/kernel';
import { chooseAccount, isRoot } from './account/account.js';
import { type Launch, ordinaryLaunch, rootLaunch } from './account/launch.js';
import { prepareFolder } from './account/prepare-folder.js';
import { fileFailure, messageOf } from './failures.js';
import { DATABASE } from './layout.js';
import { type FromSupervisor, isFromSupervisor, type PostgresExit, type ToSupervisor } from './messages.js';
import { processWith } from './ownership/process-identity.js';
import { OutputLines } from './server/output-lines.js';
import { stopProcess } from './server/stop-process.js';

export type { PostgresExit } from './messages.js';

export type SpawnOptions = {
  /** Holds the database and everything about it. Created where it is missing; otherwise empty, or ours. */
  readonly dataDir: string;
  /** On 127.0.0.1. Absent or 0: any free one. */
  readonly port?: number;
};

export type SpawnedPostgres = {
  /**
   * `postgres://user:password@127.0.0.1:port/palimpsest`: a secret. The user owns the database, and no more.
   */
  readonly url: string;
  /** Of the server itself. */
  readonly pid: number;
  /** Sends clients away, writes everything out, and resolves once the server is gone. May be repeated. */
  stop(): Promise<void>;
  /**
   * Settles once, when the server has ended or is no longer looked after because its supervisor was killed.
   */
  readonly exited: Promise<PostgresExit>;
};

/**
 * Starts the PostgreSQL that came with npm on a data folder, and resolves once it takes connections. The
 * server ends with this process, however this process ends, and does not keep it from ending. Without a data folder
 * it uses a temporary one, which `stop` removes.
 *
 * Time: about a second for a new folder, a fraction of it later; longer after a crash, or where the previous
 * owner of the folder is still stopping (waited for, one minute at most).
 *
 * @throws {AppError} `data-folder-in-use`, `data-folder-newer`, `data-folder-unusable`, `port-in-use`,
 *   `disk-full`, or `postgres-unavailable` for everything else, with what the server said last;
 *   `invalid-configuration` for a port that is none.
 */
export const spawnPostgres = async ({
  dataDir,
  port = 0,
}: Partial<SpawnOptions> = {}): Promise<SpawnedPostgres> => {
  if (dataDir !== undefined) return spawnOn({ dataDir, port });
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const server = await spawnOn({ dataDir: join(folder, 'data'), port });
    return { ...server, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
};

const spawnOn = async ({ dataDir, port = 0 }: SpawnOptions): Promise<SpawnedPostgres> => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new AppError('invalid-configuration', `${port} is no port: use 1 to 65535, or 0 for any free one`);
  }
  const folder = resolve(dataDir);
  const supervisor = startSupervisor(launchFor(folder));
  const exited = exitOf(supervisor);
  const ready = await readiness(supervisor, { kind: 'start', dataDir: folder, port });
  const postmaster = processWith(ready.pid);
  letGo(supervisor);
  return {
    url: `postgres://${DATABASE}:${ready.password}@127.0.0.1:${ready.port}/${DATABASE}`,
    pid: ready.pid,
    exited,
    stop: async () => {
      // Where it cannot be sent, the supervisor is gone.
      if (supervisor.connected) supervisor.send({ kind: 'stop' } satisfies ToSupervisor, () => {});
      supervisor.ref();
      await exited;
      // Only a supervisor that was killed has left it running.
      if (postmaster !== undefined) await stopProcess(postmaster);
    },
  };
};

const launchFor = (folder: string): Launch => {
  try {
    const account = isRoot() ? chooseAccount(folder) : undefined;
    prepareFolder(folder, account);
    return account === undefined ? ordinaryLaunch : rootLaunch(account, folder, supervisorProgram());
  } catch (error) {
    throw fileFailure(error, folder);
  }
};

const startSupervisor = (launch: Launch): ChildProcess =>
  fork(supervisorProgram(), [], {
    ...launch,
    env: { ...process.env, NODE_OPTIONS: '' }, // What they debug or measure is the caller.
    cwd: '/', // It must not hold on to the caller's folder, nor need a right to enter it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });

/** The bundled program, in the project's `dist/`: above this file as source, as compiled and as bundled. */
const supervisorProgram = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'dist/programs/postgres-supervisor.js');
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) {
      const missing = 'dist/programs/postgres-supervisor.js is missing: run `npm run build` first';
      throw new AppError('internal', missing);
    }
  }
};

/**
 * Resolves with `ready`; throws what the supervisor reports, or what it said before it died without a report.
 * It throws once the supervisor is gone, so that the folder can be tried again at once.
 */
const readiness = (
  supervisor: ChildProcess,
  start: ToSupervisor,
): Promise<Extract<FromSupervisor, { kind: 'ready' }>> =>
  new Promise((resolve, reject) => {
    const said = new OutputLines();
    let failure: AppError | undefined;
    supervisor.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
    supervisor.on('message', (message) => {
      if (!isFromSupervisor(message)) return;
      if (message.kind === 'ready') resolve(message);
      if (message.kind === 'failed') failure = new AppError(message.code, message.message);
    });
    supervisor.once('error', (error) => reject(unsupervised(messageOf(error), error)));
    supervisor.once('close', (code, signal) =>
      reject(failure ?? unsupervised(reasonIn(said.newest()) ?? `it ended with ${signal ?? code}`)),
    );
    supervisor.send(start, () => {}); // Where it cannot be sent, one of the other two says why.
  });

/** An uncaught error's own line, not the stack below it; else what a program before ours said last. */
const reasonIn = (lines: readonly string[]): string | undefined =>
  lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.findLast((line) => line.trim() !== '');

const unsupervised = (what: string, cause?: unknown): AppError =>
  new AppError('postgres-unavailable', `the supervisor of PostgreSQL cannot be run: ${what}`, { cause });

/** What the supervisor reports, or else how it ended itself; in either case once it is gone. */
const exitOf = (supervisor: ChildProcess): Promise<PostgresExit> =>
  new Promise((resolve) => {
    let reported: PostgresExit | undefined;
    supervisor.on('message', (message) => {
      if (isFromSupervisor(message) && message.kind === 'exited') {
        reported = { code: message.code, signal: message.signal };
      }
    });
    // Not `exit`: that one may overtake the last message.
    supervisor.once('close', (code, signal) => resolve(reported ?? { code, signal }));
  });

/** A running server is no reason for this process to stay. */
const letGo = (supervisor: ChildProcess): void => {
  supervisor.unref();
  supervisor.channel?.unref();
  const { stderr } = supervisor;
  if (stderr !== null && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
};
