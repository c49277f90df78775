import { type ChildProcess, fork } from 'node:child_process';
import { AppError, type ErrorCode } from '@app/kernel';
import { mainFile } from '../storage/work/main-file.js';
import { isReport, type Report } from '../storage/work/messages.js';
import type { Order } from './messages.js';
import type { EventStoreOptions } from './options.js';

export type Exit = { readonly code: number | null; readonly signal: string | null };
export type SpawnedEventStore = {
  /** `esdb://127.0.0.1:PORT?tls=false`, or as the options say. */
  readonly url: string;
  readonly pid: number;
  /** Asks it to stop in good order, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Resolves when it is gone, for whatever reason. */
  readonly exited: Promise<Exit>;
};

/** A child that has not stopped after so long is killed; the log bears it. Milliseconds. */
const EXIT_TIMEOUT_MS = 15_000;

/**
 * Starts an event store in a process of its own. It ignores the interrupt key of the terminal, which is for the
 * parent to answer, and stops in good order when the parent is gone.
 *
 * @throws {AppError} `port-in-use`, `data-folder-in-use`, `data-folder-newer`, `data-folder-damaged`,
 *   `data-folder-unusable`, `disk-full`, `event-store-unavailable` where its process ends before it is ready.
 */
export const spawnEventStore = async (options: EventStoreOptions): Promise<SpawnedEventStore> => {
  const child = fork(mainFile(), [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const report = await firstReport(child, exited, { kind: 'start', options });
  if (report.kind !== 'ready') {
    await exited;
    throw report.kind === 'failed'
      ? new AppError(asErrorCode(report.code), report.message)
      : new AppError('event-store-unavailable', 'the event store answered another question than was asked');
  }
  return { url: report.url, pid: child.pid ?? 0, exited, stop: () => stop(child, exited) };
};

const firstReport = (child: ChildProcess, exited: Promise<Exit>, order: Order): Promise<Report> =>
  new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(
        new AppError(
          'event-store-unavailable',
          `the event store did not start (${why}): run the command again`,
        ),
      );
    child.once('error', (fault) => fail(fault.message));
    child.once('message', (message) => (isReport(message) ? resolve(message) : fail('it answered nonsense')));
    void exited.then(({ code, signal }) => fail(`its process ended with ${signal ?? `code ${code}`}`));
    child.send(order, (fault) => fault && fail(fault.message));
  });

const stop = async (child: ChildProcess, exited: Promise<Exit>): Promise<void> => {
  const order: Order = { kind: 'stop' };
  // Where the channel is closed it is stopping already.
  if (child.connected) child.send(order, () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
};

// The code has come as text from our own child, which has it from an AppError.
const asErrorCode = (code: string): ErrorCode => code as ErrorCode;
