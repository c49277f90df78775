import { fork } from 'node:child_process';
import { AppError, type ErrorCode } from '@app/kernel';
import type { CheckProgress } from '../integrity/check-database.js';
import { mainFile } from './main-file.js';
import { isReport, type WorkOrder } from './messages.js';

/**
 * Checks or salvages a folder in a process of its own, since a damaged page of the database may end it, and resolves
 * with the result as JSON; `undefined` where that process ended without one.
 *
 * @throws {AppError} as the work does.
 */
export const workApart = (
  kind: WorkOrder['kind'],
  dataDir: string,
  onProgress: (progress: CheckProgress) => void = () => {},
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const child = fork(mainFile(), [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('error', reject);
    child.once('exit', () => resolve(undefined));
    child.on('message', (message) => {
      if (!isReport(message) || message.kind === 'ready') return resolve(undefined);
      if (message.kind === 'progress') return onProgress(message);
      if (message.kind === 'done') return resolve(message.result);
      reject(new AppError(message.code as ErrorCode, message.message)); // Of our own child, which has it from an AppError.
    });
    const order: WorkOrder = { kind, dataDir };
    child.send(order, (fault) => fault && reject(fault));
  });
