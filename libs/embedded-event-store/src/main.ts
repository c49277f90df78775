/**
 * The event store as a process: receives its options over the IPC channel of its parent, and exits when that channel
 * closes.
 */
import { AppError } from '@app/kernel';
import { isParentMessage } from './process/messages.js';
import type { EventStoreOptions } from './process/options.js';
import { type RunningEventStore, startEventStore } from './process/start-event-store.js';
import { salvage } from './salvage/salvage.js';
import { checkDatabase } from './storage/integrity/check-database.js';
import { type ChildMessage, failedReport } from './storage/maintenance/messages.js';

let running: Promise<RunningEventStore> | undefined;
let stopping = false;

const send = (report: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(report, () => resolve());
  });

const printError = (...what: unknown[]): void => {
  const text = what.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  process.stderr.write(`event store: ${text.replaceAll(/\s+/g, ' ')}\n`);
};

const start = async (options: EventStoreOptions): Promise<void> => {
  try {
    running = startEventStore(options);
    await send({ kind: 'ready', url: (await running).url });
  } catch (fault) {
    const known = fault instanceof AppError ? fault : new AppError('internal', String(fault));
    await send(failedReport(known));
    process.exit(1);
  }
};

/** Runs one maintenance task on a data folder, sends its result, and exits. */
const work = async (does: () => Promise<unknown>): Promise<void> => {
  try {
    await send({ kind: 'done', result: JSON.stringify(await does()) });
    process.exit(0);
  } catch (fault) {
    await send(failedReport(fault instanceof AppError ? fault : new AppError('internal', String(fault))));
    process.exit(1);
  }
};

const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  try {
    await (await running)?.stop();
    process.exit(0);
  } catch (fault) {
    printError(fault);
    process.exit(1);
  }
};

// Libraries that use the console write one line to stderr; stdout stays silent.
Object.assign(globalThis.console, { log: printError, info: printError, warn: printError, error: printError });

process.on('message', (message) => {
  if (!isParentMessage(message)) return printError('ignored an invalid message of the parent');
  switch (message.kind) {
    case 'start':
      return void start(message.options);
    case 'check':
      return void work(() =>
        checkDatabase(message.dataDir, (progress) => void send({ kind: 'progress', ...progress })),
      );
    case 'salvage':
      return void work(() => salvage(message.dataDir));
    case 'stop':
      return void stop();
  }
});
process.on('disconnect', () => void stop());
process.on('SIGTERM', () => void stop());
// A terminal sends SIGINT and SIGHUP to every process; the parent decides for this one.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('uncaughtException', (fault) => {
  printError(fault);
  process.exit(1);
});
