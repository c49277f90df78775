import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, isJsonObject } from '@app/kernel';
import { diskFault } from './disk-faults.js';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';

const LOCK_NAME = /^owner\.(\d+)$/;
/** Races for a stale lock are lost at most so often before giving up: each loss means that somebody else won. */
const ATTEMPTS_MAX = 20;

export type FolderLock = { release(): void };

/**
 * Takes the data folder for this process alone.
 *
 * The files `owner.1`, `owner.2`, … name one owner after the other; the highest number is the lock. Whoever
 * finds its process gone makes the next number, and making it (a hard link: it appears with its content or not
 * at all) succeeds for exactly one. So a stale lock is never removed and made anew, which is where two takers
 * could each believe to have it. The last two are kept for the same reason.
 *
 * Processes are looked for on this machine: a folder on a network share is not protected between machines.
 *
 * @throws {AppError} `data-folder-in-use`, `data-folder-unusable`, `disk-full`.
 */
export const lockFolder = (folder: string): FolderLock => {
  const draft = join(folder, `owner-draft-${randomUUID()}`);
  try {
    writeFileSync(draft, JSON.stringify(ownIdentity()));
    return takeWith(folder, draft);
  } catch (fault) {
    throw diskFault(fault, folder, 'taking its lock');
  } finally {
    removeQuietly(draft);
  }
};

const takeWith = (folder: string, draft: string): FolderLock => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = highestLock(folder);
    const owner = current > 0 ? ownerOf(pathOf(folder, current)) : undefined;
    if (owner && isRunning(owner)) throw inUse(folder, owner.pid);
    const own = pathOf(folder, current + 1);
    if (!linked(draft, own)) continue; // Somebody was faster; look who.
    if (highestLock(folder) !== current + 1) {
      removeQuietly(own);
      continue;
    }
    for (const number of lockNumbers(folder)) if (number < current) removeQuietly(pathOf(folder, number));
    return { release: () => truncateSync(own) };
  }
  throw new AppError('data-folder-in-use', `the data folder ${folder} is being taken by others`);
};

const inUse = (folder: string, pid: number): AppError =>
  new AppError(
    'data-folder-in-use',
    `the data folder ${folder} is in use by process ${pid}: wait for it, or choose another folder`,
  );

const pathOf = (folder: string, number: number): string => join(folder, `owner.${number}`);

const lockNumbers = (folder: string): number[] =>
  readdirSync(folder).flatMap((name) => {
    const number = LOCK_NAME.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
const highestLock = (folder: string): number => Math.max(0, ...lockNumbers(folder));

/** `undefined` for a lock that was given back (it is empty then), is gone, or was torn by a power cut. */
const ownerOf = (path: string): ProcessIdentity | undefined => {
  const text = unlessMissing(() => readFileSync(path, 'utf8'));
  if (!text) return undefined;
  const owner = parsed(text);
  return isJsonObject(owner) && typeof owner.pid === 'number' && typeof owner.started === 'string'
    ? { pid: owner.pid, started: owner.started }
    : undefined;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const linked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (fault) {
    if (hasCode(fault, 'EEXIST')) return false;
    throw fault;
  }
};

const removeQuietly = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (fault) {
    if (!hasCode(fault, 'ENOENT')) throw fault;
  }
};

const unlessMissing = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch (fault) {
    if (hasCode(fault, 'ENOENT')) return undefined;
    throw fault;
  }
};

const hasCode = (fault: unknown, code: string): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === code;
