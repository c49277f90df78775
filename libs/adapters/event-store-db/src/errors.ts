import { AppError } from '@app/kernel';
import { ConflictError } from '@app/ports';
import {
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';

/** Whether nothing is known of what became of an append: to be repeated with the same ids. */
export const isAmbiguous = (error: unknown): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof DeadlineExceededError ||
  error instanceof TimeoutError;

/** What the client threw, in the words of the port. */
export const portError = (error: unknown): unknown => {
  if (error instanceof WrongExpectedVersionError)
    return new ConflictError('another writer was faster', { cause: error });
  if (error instanceof MaxAppendSizeExceededError) {
    return new AppError('append-too-large', 'the event store refuses an append of this size: split it', {
      cause: error,
    });
  }
  if (isAmbiguous(error)) {
    return new AppError('event-store-unavailable', 'the event store does not answer: is it running?', {
      cause: error,
    });
  }
  if (error instanceof Error && /disk full|no space left|MDB_MAP_FULL|ENOSPC/i.test(error.message)) {
    return new AppError('disk-full', 'the disk of the event store is full: nothing was recorded', {
      cause: error,
    });
  }
  return error;
};
