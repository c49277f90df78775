import { AppError } from '@app/kernel';

/** The reader of the output closed it (` head`); the command ends without a message. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** Rejects when stdout is closed; never resolves. */
export const outputFailure = new Promise<never>((_, reject) => {
  process.stdout.on('error', (error) => reject(outputError(error)));
});
outputFailure.catch(() => {}); // Listeners are optional.

/**
 * Resolves when all output is written.
 *
 * @throws {ReaderGone}
 * @throws {AppError} `disk-full` or `internal` if it cannot be written.
 */
export const flushed = (): Promise<void> =>
  Promise.race([
    outputFailure,
    new Promise<void>((resolve) => {
      // The stream's `error` event names the first cause.
      process.stdout.write('', (error) => {
        if (!error) resolve();
      });
    }),
  ]);

const outputError = (error: NodeJS.ErrnoException): Error => {
  switch (error.code) {
    case 'EPIPE':
      return new ReaderGone();
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new AppError('disk-full', 'the output cannot be written: its disk is full', { cause: error });
    default:
      return new AppError('internal', `the output cannot be written (${error.code ?? error.name})`, {
        cause: error,
      });
  }
};
