import { fork } from 'node:child_process';
import { AppError, type ErrorCode } from '@app/kernel';
import type { CheckProgress } from '../integrity/check-database.js';
import { mainFile } from './main-file.js';
import { isChildMessage, type MaintenanceTask } from './messages.js';

/**
 * Checks or salvages a folder in a child process, which a damaged database page may crash. Resolves with the result
 * as JSON; `undefined` if the child exited without one.
 * @throws {AppError} the errors of the task.
 */
export const runMaintenance = (
  kind: MaintenanceTask['kind'],
  dataDir: string,
  onProgress: (progress: CheckProgress) => void = () => {},
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const child = fork(mainFile(), [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('error', reject);
    child.once('exit', () => resolve(undefined));
    child.on('message', (message) => {
      if (!isChildMessage(message) || message.kind === 'ready') return resolve(undefined);
      if (message.kind === 'progress') return onProgress(message);
      if (message.kind === 'done') return resolve(message.result);
      reject(new AppError(message.code as ErrorCode, message.message)); // The child sends the code of an AppError.
    });
    const order: MaintenanceTask = { kind, dataDir };
    child.send(order, (fault) => fault && reject(fault));
  });
