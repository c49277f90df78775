import { fork } from 'node:child_process';
import { AppError, type ErrorCode } from '@app/kernel';
import type { CheckProgress } from '../integrity/check-database.js';
import { mainFile } from './main-file.js';
import { isChildMessage, type MaintenanceTask } from './messages.js';

/** Signals that others send, which say nothing about the database. */
const STOPPED_BY: readonly (NodeJS.Signals | null)[] = ['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM'];

/**
 * Checks or salvages a folder in a child process, which a damaged database page may crash. Resolves with the result
 * as JSON; `undefined` if the child crashed.
 * @throws {AppError} the errors of the task, and `event-store-unavailable` if a signal stopped the child.
 */
export const runMaintenance = (
  kind: MaintenanceTask['kind'],
  dataDir: string,
  onProgress: (progress: CheckProgress) => void = () => {},
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const child = fork(mainFile(), [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('error', reject);
    child.once('exit', (_, signal) =>
      STOPPED_BY.includes(signal)
        ? reject(
            new AppError(
              'event-store-unavailable',
              `reading ${dataDir} was stopped by ${signal}: run it again`,
            ),
          )
        : resolve(undefined),
    );
    child.on('message', (message) => {
      if (!isChildMessage(message) || message.kind === 'ready') return resolve(undefined);
      if (message.kind === 'progress') return onProgress(message);
      if (message.kind === 'done') return resolve(message.result);
      reject(new AppError(message.code as ErrorCode, message.message)); // The child sends the code of an AppError.
    });
    const order: MaintenanceTask = { kind, dataDir };
    child.send(order, (fault) => fault && reject(fault));
  });
