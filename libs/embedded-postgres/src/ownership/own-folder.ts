import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import { isErrno } from '../failures.js';
import { OWNER_PREFIX } from '../layout.js';
import { isRunning, type ProcessIdentity, processWith } from './process-identity.js';

/** A supervisor, and the process that it runs the server for. */
type Owner = { readonly supervisor: ProcessIdentity; readonly parent: ProcessIdentity };

/** The time that an owner whose parent has died has to stop its server. */
const HANDOVER_MS = 60_000;
const POLL_MS = 50;

/**
 * Locks the data folder for this process until it exits; there is no release.
 *
 * Owners are numbered files, and the highest number counts. Only a process that found owner n dead may create number
 * n + 1, and only one can: of two processes that find a dead owner at once, one fails. An owner whose parent has died
 * is stopping its server, so this function waits for it.
 *
 * Does not detect processes of other machines or containers that share the folder.
 * @throws {AppError} `data-folder-in-use`, with the pid of the owner.
 */
export const ownFolder = async (dataDir: string, parentPid: number, signal: AbortSignal): Promise<void> => {
  const deadline = Date.now() + HANDOVER_MS;
  for (;;) {
    signal.throwIfAborted();
    const newest = newestGeneration(dataDir);
    const owner = newest === 0 ? undefined : ownerOf(dataDir, newest);
    if (owner === undefined || !isRunning(owner.supervisor)) {
      if (claim(dataDir, newest + 1, parentPid)) return;
    } else if (isRunning(owner.parent) || Date.now() > deadline) {
      throw inUse(dataDir, isRunning(owner.parent) ? owner.parent.pid : owner.supervisor.pid);
    } else {
      await delay(POLL_MS, undefined, { signal });
    }
  }
};

export const inUse = (dataDir: string, pid: number): AppError =>
  new AppError(
    'data-folder-in-use',
    `the data folder ${dataDir} is in use by process ${pid}: stop that process, or choose another data folder`,
  );

const fileOf = (dataDir: string, generation: number): string => join(dataDir, `${OWNER_PREFIX}${generation}`);
const generations = (dataDir: string): readonly number[] =>
  readdirSync(dataDir)
    .map((name) => Number(name.startsWith(OWNER_PREFIX) ? name.slice(OWNER_PREFIX.length) : Number.NaN))
    .filter((generation) => Number.isSafeInteger(generation) && generation > 0);
const newestGeneration = (dataDir: string): number => Math.max(0, ...generations(dataDir));

/** Creates the next number atomically, and removes the older ones. Returns false if another process was faster. */
const claim = (dataDir: string, generation: number, parentPid: number): boolean => {
  const supervisor = processWith(process.pid);
  const parent = processWith(parentPid);
  if (supervisor === undefined || parent === undefined)
    throw new AppError('internal', 'the parent process has exited');
  const draft = join(dataDir, `${OWNER_PREFIX}draft-${process.pid}`);
  try {
    writeFileSync(draft, JSON.stringify({ supervisor, parent } satisfies Owner), { mode: 0o600 });
    linkSync(draft, fileOf(dataDir, generation));
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  // A list read while another process removed older numbers may lack both: check again.
  const won = newestGeneration(dataDir) === generation;
  const obsolete = won ? generations(dataDir).filter((other) => other < generation) : [generation];
  for (const other of obsolete) rmSync(fileOf(dataDir, other), { force: true });
  return won;
};

/** Returns `undefined` if the file is gone, or torn by a power failure, which no owner survives. */
const ownerOf = (dataDir: string, generation: number): Owner | undefined => {
  try {
    const owner: unknown = JSON.parse(readFileSync(fileOf(dataDir, generation), 'utf8'));
    return isOwner(owner) ? owner : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const isOwner = (value: unknown): value is Owner =>
  typeof value === 'object' &&
  value !== null &&
  'supervisor' in value &&
  'parent' in value &&
  isIdentity(value.supervisor) &&
  isIdentity(value.parent);
const isIdentity = (value: unknown): value is ProcessIdentity =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  typeof value.pid === 'number' &&
  'started' in value &&
  typeof value.started === 'string';
