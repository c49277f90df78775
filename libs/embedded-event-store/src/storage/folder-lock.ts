import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, isJsonObject, parseJson } from '@app/kernel';
import { diskFault } from './disk-faults.js';
import { isOfThisMachine, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';

const LOCK_NAME = /^owner\.(\d+)$/;
/** The number of attempts to take over a stale lock: each failure means that another process won. */
const ATTEMPTS_MAX = 20;

/** Milliseconds between two updates of the owner's file. */
const HEARTBEAT_MS = 1_000;
/** An owner in another container or machine counts as gone this long after its last touch. Milliseconds. */
const LEASE_MS = 10_000;
/** A file older than this is taken over without watching it. Milliseconds. */
const EXPIRED_MS = 60_000;
/** An owner that was suspended for longer verifies its ownership before it writes. Milliseconds. */
const RECHECK_MS = LEASE_MS / 2;
const POLL_MS = 250;

export type FolderLock = {
  release(): void;
  /**
   * Must be called before each write.
   * @throws {AppError} `data-folder-in-use` if this process was suspended until another one took over.
   */
  assertHeld(): void;
};

/**
 * Locks the data folder for this process.
 *
 * The files `owner.1`, `owner.2`, … name successive owners; the highest number is the lock. A process that finds the
 * owner gone creates the next number, as a hard link: it appears complete or not at all, and succeeds for exactly one
 * process. So a stale lock is never removed and created again, which could give it to two processes. The last two
 * files are kept for the same reason.
 *
 * An owner of this machine and container is looked up by its pid. One of another container (or machine, with a
 * network share) counts as running while it touches its file, which it does every second; the taker watches for ten
 * seconds. An owner that was suspended meanwhile stops writing (`assertHeld`).
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
    discard(draft);
  }
};

/** Removes a draft. One that stays is no lock, and must not hide why the folder cannot be locked. */
const discard = (draft: string): void => {
  try {
    unlinkSync(draft);
  } catch {
    // It was not written, or this user may not remove it.
  }
};

const takeWith = (folder: string, draft: string): FolderLock => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = highestLock(folder);
    const owner = current > 0 ? ownerOf(pathOf(folder, current)) : undefined;
    if (owner && isAlive(owner, pathOf(folder, current))) throw inUse(folder, owner.pid);
    const own = pathOf(folder, current + 1);
    if (!linked(draft, own)) continue; // Another process won the race.
    if (highestLock(folder) !== current + 1) {
      removeQuietly(own);
      continue;
    }
    for (const number of lockNumbers(folder)) if (number < current) removeQuietly(pathOf(folder, number));
    return heldLock(folder, current + 1);
  }
  throw new AppError(
    'data-folder-in-use',
    `other processes are locking the data folder ${folder}: choose another folder`,
  );
};

const heldLock = (folder: string, number: number): FolderLock => {
  const own = pathOf(folder, number);
  let beatAt = performance.now();
  const isHeld = (): boolean => highestLock(folder) === number;
  const beat = (): void => {
    const now = new Date();
    utimesSync(own, now, now);
    beatAt = performance.now();
  };
  const heart = setInterval(() => {
    try {
      if (isHeld()) beat();
    } catch {
      // The folder is unreachable or gone: `assertHeld` checks again before the next write.
    }
  }, HEARTBEAT_MS).unref();
  return {
    release: () => {
      clearInterval(heart);
      if (isHeld()) truncateSync(own);
    },
    assertHeld: () => {
      if (performance.now() - beatAt < RECHECK_MS) return;
      if (!isHeld()) throw takenOver(folder);
      beat();
    },
  };
};

const isAlive = (owner: ProcessIdentity, path: string): boolean => {
  if (isOfThisMachine(owner)) return isRunning(owner);
  const touchedAt = touchedAtOf(path);
  if (touchedAt === undefined || Date.now() - touchedAt > EXPIRED_MS) return false;
  for (let waited = 0; waited < LEASE_MS; waited += POLL_MS) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    if (touchedAtOf(path) !== touchedAt) return ownerOf(path) !== undefined;
  }
  return false;
};

const touchedAtOf = (path: string): number | undefined => unlessMissing(() => statSync(path).mtimeMs);

const takenOver = (folder: string): AppError =>
  new AppError(
    'data-folder-in-use',
    `another process has locked the data folder ${folder}, since this one was suspended for ${LEASE_MS / 1_000} seconds: restart it`,
  );

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

/** Returns `undefined` for a lock that was released (an empty file), is gone, or was torn by a power cut. */
const ownerOf = (path: string): ProcessIdentity | undefined => {
  const text = unlessMissing(() => readFileSync(path, 'utf8'));
  if (!text) return undefined;
  const owner = parseJson(text);
  return isJsonObject(owner) && typeof owner.pid === 'number' && typeof owner.started === 'string'
    ? {
        pid: owner.pid,
        started: owner.started,
        ...(typeof owner.namespace === 'string' && { namespace: owner.namespace }),
      }
    : undefined;
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
