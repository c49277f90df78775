// The process between Palimpsest and its PostgreSQL. If its parent dies, even by SIGKILL, the IPC channel closes and
// this process stops the server. It runs in its own session, so that Ctrl-C in the parent's terminal reaches neither
// it nor the server: the parent decides when to stop.
import { AppError } from '@app/kernel';
import { openCluster } from './cluster/open-cluster.js';
import { fileFailure } from './failures.js';
import { installation } from './installation/installation.js';
import { type FromSupervisor, isToSupervisor } from './messages.js';
import { ownFolder } from './ownership/own-folder.js';
import { stopOrphan } from './server/orphan.js';
import { type RunningServer, startServer } from './server/start-server.js';

const abandoned = new AbortController();
let server: RunningServer | undefined;

const send = (message: FromSupervisor): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });

const start = async (dataDir: string, port: number): Promise<RunningServer> => {
  await ownFolder(dataDir, process.ppid, abandoned.signal);
  await stopOrphan(dataDir);
  const programs = installation(dataDir);
  const password = await openCluster(programs, dataDir, abandoned.signal);
  const started = await startServer(programs, dataDir, port, abandoned.signal);
  await send({ kind: 'ready', pid: started.pid, port: started.port, password });
  return started;
};

const run = async (dataDir: string, port: number): Promise<void> => {
  try {
    server = await start(dataDir, port);
  } catch (error) {
    const { code, message } = fileFailure(error, dataDir);
    await send({ kind: 'failed', code, message });
    return process.exit(1);
  }
  if (abandoned.signal.aborted) await server.stop();
  const exit = await server.exited;
  await send({ kind: 'exited', ...exit });
  process.exit(0);
};

/** Stops everything that was started; `run` then exits the process. */
const stop = (): void => {
  abandoned.abort(new AppError('postgres-unavailable', 'PostgreSQL was stopped before it was ready'));
  void server?.stop();
};

process.on('message', (message: unknown) => {
  if (!isToSupervisor(message)) return;
  if (message.kind === 'start') void run(message.dataDir, message.port);
  else stop();
});
process.on('disconnect', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
