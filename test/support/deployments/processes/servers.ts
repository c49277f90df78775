import { setTimeout as pause } from 'node:timers/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import { spawnPostgres } from '@app/embedded-postgres';
import { addCluster } from './data-folder.js';
import { lastingPort } from './lasting-port.js';
import { familyOf } from './process-family.js';

/** A server that the service is told the URL of. It is started again whenever it ends, as an orchestrator does. */
export type Server = {
  readonly url: string;
  /** Process ID of the running process. */
  readonly pid: number;
  /** Kills it as a crash does, starts it again after `meanwhile`, and resolves when it answers at the same place. */
  kill(meanwhile?: () => Promise<void>): Promise<void>;
  /** Stalls all of its processes, or lets them go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
};
type Spawned = {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
};

/** An event store as a process of its own, reached over TCP. */
export const startEventStoreServer = (dataDir: string): Promise<Server> =>
  startServer((port) => spawnEventStore({ dataDir, port }));

/** A PostgreSQL as a process of its own, reached over TCP. */
export const startPostgresServer = async (dataDir: string): Promise<Server> => {
  await addCluster(dataDir);
  return startServer((port) => spawnPostgres({ dataDir, port }));
};

const START_AGAIN_MS = 250;

const startServer = async (spawn: (port: number) => Promise<Spawned>): Promise<Server> => {
  const port = await lastingPort();
  let running = await spawn(port);
  const { url } = running;
  let isWanted = true;
  let pausing: Promise<void> | undefined;
  let up: Promise<void> = Promise.resolve();
  const startAgain = async (): Promise<void> => {
    await pausing;
    while (isWanted) {
      try {
        running = await spawn(port);
        void watch(running);
        return;
      } catch {
        await pause(START_AGAIN_MS);
      }
    }
  };
  const watch = async (one: Spawned): Promise<void> => {
    await one.exited;
    if (isWanted) up = startAgain();
  };
  void watch(running);
  return {
    url,
    get pid() {
      return running.pid;
    },
    kill: async (meanwhile = async () => {}) => {
      await up;
      const { exited, pid } = running;
      let letGo = (): void => {};
      pausing = new Promise((resolve) => {
        letGo = resolve;
      });
      process.kill(pid, 'SIGKILL');
      await exited;
      try {
        await meanwhile();
      } finally {
        pausing = undefined;
        letGo();
      }
      await up;
    },
    signal: (signal) => {
      for (const pid of familyOf(running.pid)) process.kill(pid, signal);
    },
    stop: async () => {
      isWanted = false;
      await up;
      await running.stop();
    },
  };
};
