import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import { isMemoryInUse, messageOf, serverFailure } from '../failures.js';
import type { Installation } from '../installation/installation.js';
import { clusterOf } from '../layout.js';
import type { PostgresExit } from '../messages.js';
import { processWith } from '../ownership/process-identity.js';
import { OutputLines } from './output-lines.js';
import { ServerLog } from './server-log.js';
import { serverArguments } from './settings.js';
import { stopProcess } from './stop-process.js';

export type RunningServer = {
  readonly pid: number;
  readonly port: number;
  readonly exited: Promise<PostgresExit>;
  /** Resolves once the process has exited. */
  stop(): Promise<void>;
};

/** The wait for processes of a killed postmaster, which notice its death at once or after their query. */
export const MEMORY_WAIT_MAX_MS = 60_000;
export const MEMORY_RETRY_MS = 200;
/** The postmaster's last line at a start. */
const READY = 'database system is ready to accept connections';
/** Another process may take a free port before the server binds it. */
const PORT_TRIES = 5;
/** Crash recovery replays the WAL first; for 256 MB a slow disk needs far less than this. */
const READY_MAX_MS = 600_000;

/** Starts the server of a cluster, and resolves once it accepts connections. `port` 0 means any free port. */
export const startServer = async (
  installation: Installation,
  dataDir: string,
  port: number,
  signal: AbortSignal,
): Promise<RunningServer> => {
  const heldUntil = Date.now() + MEMORY_WAIT_MAX_MS;
  let portTries = 0;
  for (;;) {
    const chosen = port === 0 ? await freePort() : port;
    const started = await startOnce(installation, dataDir, chosen, signal);
    if ('pid' in started) return started;
    if (isMemoryInUse(started.lines) && Date.now() < heldUntil) {
      await delay(MEMORY_RETRY_MS, undefined, { signal });
      continue;
    }
    const failure = serverFailure('PostgreSQL does not start', started.lines, { dataDir, port: chosen });
    portTries += 1;
    if (failure.code !== 'port-in-use' || port !== 0 || portTries >= PORT_TRIES) throw failure;
  }
};

const startOnce = (
  installation: Installation,
  dataDir: string,
  port: number,
  signal: AbortSignal,
): Promise<RunningServer | { readonly lines: readonly string[] }> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const log = new ServerLog(dataDir);
    const cluster = clusterOf(dataDir);
    const server = spawn(installation.postgres, serverArguments(cluster, port), {
      cwd: cluster,
      env: installation.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = exitOf(server);
    const giveUp = (): void => void stopChild(server, exited);
    const timer = setTimeout(giveUp, READY_MAX_MS);
    signal.addEventListener('abort', giveUp, { once: true });
    const settled = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };

    const lines = new OutputLines((line) => {
      if (server.pid === undefined || !line.includes(READY)) return;
      settled();
      resolve({ pid: server.pid, port, exited, stop: () => stopChild(server, exited) });
    });
    server.stderr.on('data', (chunk: Buffer) => {
      log.write(chunk);
      lines.push(chunk);
    });
    server.once('error', (error) => {
      settled();
      const text = `PostgreSQL cannot be started: ${messageOf(error)}`;
      reject(new AppError('postgres-unavailable', text, { cause: error }));
    });
    // `close` follows the last line, which `exit` may precede.
    server.once('close', () => {
      settled();
      resolve({ lines: lines.newest() });
    });
  });

const exitOf = (server: ChildProcess): Promise<PostgresExit> =>
  new Promise((resolve) => server.once('exit', (code, signal) => resolve({ code, signal })));

const stopChild = async (server: ChildProcess, exited: Promise<PostgresExit>): Promise<void> => {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const postmaster = processWith(server.pid);
  if (postmaster !== undefined) await stopProcess(postmaster);
  await exited;
};

/** Returns a currently free port of the loopback interface, since PostgreSQL cannot choose one itself. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
