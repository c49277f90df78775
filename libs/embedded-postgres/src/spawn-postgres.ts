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
  /** The folder of the database and its files. Created if missing; an existing one must be empty or Palimpsest's. */
  readonly dataDir: string;
  /** A port of 127.0.0.1. Absent or 0: any free port. */
  readonly port?: number;
};

export type SpawnedPostgres = {
  /** `postgres://user:password@127.0.0.1:port/palimpsest`, a secret. The user owns the database, and nothing else. */
  readonly url: string;
  /** The pid of the postmaster. */
  readonly pid: number;
  /** Disconnects clients, writes a checkpoint, and resolves once the server has exited. Idempotent. */
  stop(): Promise<void>;
  /** Settles once, when the server has exited, or is unsupervised because its supervisor was killed. */
  readonly exited: Promise<PostgresExit>;
};

/**
 * Starts the PostgreSQL from npm on a data folder, and resolves once it accepts connections. The server stops with
 * this process, however this process ends, and does not keep it alive. Without a data folder it uses a temporary one,
 * which `stop` removes.
 *
 * Takes about a second for a new folder, and a fraction of it later; longer after a crash, or while the previous
 * owner of the folder stops (at most one minute).
 * @throws {AppError} `data-folder-in-use`, `data-folder-newer`, `data-folder-unusable`, `port-in-use`, `disk-full`;
 * `postgres-unavailable` for everything else, with the last output of the server; `invalid-configuration` for an
 * invalid port.
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
    throw new AppError(
      'invalid-configuration',
      `invalid port ${port}: use 1 to 65535, or 0 for any free port`,
    );
  }
  const folder = resolve(dataDir);
  const supervisor = startSupervisor(launchFor(folder));
  const exited = exitOf(supervisor);
  const ready = await readiness(supervisor, { kind: 'start', dataDir: folder, port });
  const postmaster = processWith(ready.pid);
  unrefProcess(supervisor);
  return {
    url: `postgres://${DATABASE}:${ready.password}@127.0.0.1:${ready.port}/${DATABASE}`,
    pid: ready.pid,
    exited,
    stop: async () => {
      // If sending fails, the supervisor has exited.
      if (supervisor.connected) supervisor.send({ kind: 'stop' } satisfies ToSupervisor, () => {});
      supervisor.ref();
      await exited;
      // Only a killed supervisor leaves it running.
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
    env: { ...process.env, NODE_OPTIONS: '' }, // Options such as --inspect are for the caller.
    cwd: '/', // Neither blocks nor needs access to the caller's folder.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });

/** Returns the bundled program in the project's `dist/`, which is above this file as source, compiled and bundled. */
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
 * Resolves with `ready`; rejects with the supervisor's error, or with its last output if it died without a report.
 * Rejects once the supervisor has exited, so that a retry can begin at once.
 */
const readiness = (
  supervisor: ChildProcess,
  start: ToSupervisor,
): Promise<Extract<FromSupervisor, { kind: 'ready' }>> =>
  new Promise((resolve, reject) => {
    const output = new OutputLines();
    let failure: AppError | undefined;
    supervisor.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    supervisor.on('message', (message) => {
      if (!isFromSupervisor(message)) return;
      if (message.kind === 'ready') resolve(message);
      if (message.kind === 'failed') failure = new AppError(message.code, message.message);
    });
    supervisor.once('error', (error) => reject(unsupervised(messageOf(error), error)));
    supervisor.once('close', (code, signal) =>
      reject(failure ?? unsupervised(reasonIn(output.newest()) ?? `it ended with ${signal ?? code}`)),
    );
    supervisor.send(start, () => {}); // On failure one of the other two events has the reason.
  });

/** Returns the line of an uncaught error without its stack; else the last line of output. */
const reasonIn = (lines: readonly string[]): string | undefined =>
  lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.findLast((line) => line.trim() !== '');

const unsupervised = (what: string, cause?: unknown): AppError =>
  new AppError('postgres-unavailable', `the supervisor of PostgreSQL failed: ${what}`, { cause });

/** Resolves with the exit that the supervisor reports, else with its own, once it has exited. */
const exitOf = (supervisor: ChildProcess): Promise<PostgresExit> =>
  new Promise((resolve) => {
    let reported: PostgresExit | undefined;
    supervisor.on('message', (message) => {
      if (isFromSupervisor(message) && message.kind === 'exited') {
        reported = { code: message.code, signal: message.signal };
      }
    });
    // `exit` may precede the last message.
    supervisor.once('close', (code, signal) => resolve(reported ?? { code, signal }));
  });

/** Allows this process to exit while the server runs. */
const unrefProcess = (supervisor: ChildProcess): void => {
  supervisor.unref();
  supervisor.channel?.unref();
  const { stderr } = supervisor;
  if (stderr !== null && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
};
