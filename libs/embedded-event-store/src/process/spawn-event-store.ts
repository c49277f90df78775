import { type ChildProcess, fork } from 'node:child_process';
import { AppError, type ErrorCode } from '@app/kernel';
import { mainFile } from '../storage/maintenance/main-file.js';
import { type ChildMessage, isChildMessage } from '../storage/maintenance/messages.js';
import type { ParentMessage } from './messages.js';
import type { EventStoreOptions } from './options.js';

export type Exit = { readonly code: number | null; readonly signal: string | null };
export type SpawnedEventStore = {
  /** `esdb://127.0.0.1:PORT?tls=false`, depending on the options. */
  readonly url: string;
  readonly pid: number;
  /** Stops the process gracefully, and resolves when it has exited. */
  stop(): Promise<void>;
  /** Resolves when the process has exited, for any reason. */
  readonly exited: Promise<Exit>;
};

/**
 * Flags of V8: the process makes short-lived objects. By default 48 MB are kept for new ones, and the heap quadruples between two
 * full collections.
 */
const HEAP_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/** glibc would keep freed memory in an arena for each of its threads: some 10 MB. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

/** A child that does not stop in time is killed, which the log survives. Milliseconds. */
const EXIT_TIMEOUT_MS = 15_000;

/**
 * Starts an event store in a child process, which ignores SIGINT, since its parent handles that, and stops gracefully
 * when the parent has exited.
 * @throws {AppError} `port-in-use`, `data-folder-in-use`, `data-folder-newer`, `data-folder-damaged`,
 * `data-folder-unusable`, `disk-full`, `event-store-unavailable` if the process exits before it is ready.
 */
export const spawnEventStore = async (options: EventStoreOptions): Promise<SpawnedEventStore> => {
  const child = fork(mainFile(), [], {
    execArgv: HEAP_FLAGS,
    env: { ...ENVIRONMENT, ...process.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const report = await firstMessage(child, exited, { kind: 'start', options });
  if (report.kind !== 'ready') {
    await exited;
    throw report.kind === 'failed'
      ? new AppError(asErrorCode(report.code), report.message)
      : new AppError('event-store-unavailable', 'the event store sent an unexpected message');
  }
  return { url: report.url, pid: child.pid ?? 0, exited, stop: () => stop(child, exited) };
};

const firstMessage = (
  child: ChildProcess,
  exited: Promise<Exit>,
  request: ParentMessage,
): Promise<ChildMessage> =>
  new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(
        new AppError(
          'event-store-unavailable',
          `the event store did not start (${why}): run the command again`,
        ),
      );
    child.once('error', (fault) => fail(fault.message));
    child.once('message', (message) =>
      isChildMessage(message) ? resolve(message) : fail('it sent an invalid message'),
    );
    void exited.then(({ code, signal }) =>
      signal === 'SIGBUS' ? reject(noRoom()) : fail(`its process ended with ${signal ?? `code ${code}`}`),
    );
    child.send(request, (fault) => fault && fail(fault.message));
  });

/** The system sends SIGBUS for a page of a mapped file that it cannot store: LMDB maps its lock file, which has holes. */
const noRoom = (): AppError =>
  new AppError(
    'disk-full',
    'the disk of the event store is full, or fails: make room and run the command again',
  );

const stop = async (child: ChildProcess, exited: Promise<Exit>): Promise<void> => {
  const message: ParentMessage = { kind: 'stop' };
  // With a closed channel the child is stopping already.
  if (child.connected) child.send(message, () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
};

// The child sends the code of an AppError.
const asErrorCode = (code: string): ErrorCode => code as ErrorCode;
