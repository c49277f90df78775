import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '../failures.js';
import { isRunning, type ProcessIdentity } from '../ownership/process-identity.js';

/** PostgreSQL's shutdown modes, from fast to kill. */
const STEPS = [
  { signal: 'SIGINT', waitMs: 30_000 }, // Fast: disconnects clients, writes a checkpoint.
  { signal: 'SIGQUIT', waitMs: 10_000 }, // Immediate: the next start performs recovery.
  { signal: 'SIGKILL', waitMs: 10_000 },
] as const;
const POLL_MS = 20;

/** Stops a postmaster, which need not be a child. Returns true once it has exited. */
export const stopProcess = async (postmaster: ProcessIdentity): Promise<boolean> => {
  for (const { signal, waitMs } of STEPS) {
    if (isRunning(postmaster)) send(postmaster.pid, signal);
    for (let waited = 0; waited < waitMs; waited += POLL_MS) {
      if (!isRunning(postmaster)) return true;
      await delay(POLL_MS);
    }
  }
  return !isRunning(postmaster);
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
};
