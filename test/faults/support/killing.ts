import { setTimeout as pause } from 'node:timers/promises';
import { type Ended, type Running, start } from './palimpsest.js';
import { killAll, type Process, processesOf, type Role } from './processes.js';

export const VICTIMS = ['cli', 'event-store', 'supervisor', 'postmaster', 'backend', 'all'] as const;
export type Victim = Role | 'all';

/** Starts a command, and kills its target after some milliseconds, or as soon as it exists. */
export const killDuring = async (
  args: readonly string[],
  { data, victim, afterMs }: { readonly data: string; readonly victim: Victim; readonly afterMs: number },
): Promise<Ended> => {
  const running = start(args);
  await Promise.race([pause(afterMs), running.ended]);
  return killNow(running, data, victim);
};

export const killNow = async ({ child, ended }: Running, data: string, victim: Victim): Promise<Ended> => {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  while (!isOver() && among(processesOf(data), victim).length === 0) await pause(2);
  killAll(among(processesOf(data), victim));
  return ended;
};

/** Returns why an end of a command is unacceptable for users: more than a line, or an internal error. */
export const faultOf = ({ signal, code, stdout, stderr }: Ended): string | undefined => {
  if (signal === 'SIGKILL') return undefined;
  if (code === 0) return stderr === '' ? undefined : `succeeded with ${stderr}`;
  const isCivil = /^palimpsest: [^\n]+\[[a-z-]+\]\n$/.test(stderr) && !stderr.includes('[internal]');
  return isCivil ? undefined : `ended with ${signal ?? code}, and said: ${stdout}${stderr}`;
};

const among = (processes: readonly Process[], victim: Victim): readonly Process[] =>
  processes.filter(({ role }) => victim === 'all' || role === victim);
