import { AppError } from '@app/kernel';
import { ConflictError } from '@app/ports';
import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';

/** The call timed out; its outcome is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Returns whether the outcome of an append is unknown, so that it must be retried with the same ids. */
export const isAmbiguous = (error: unknown): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof DeadlineExceededError ||
  error instanceof TimeoutError ||
  error instanceof NotLeaderError ||
  error instanceof NoAnswerError ||
  isBrokenConnection(error) ||
  isBareStatus(error);

const BROKEN = /RST_STREAM|ECONNRESET|EPIPE|GOAWAY/;

/** A connection that breaks during a call raises an error without a code. */
const isBrokenConnection = (error: unknown): boolean =>
  error instanceof UnknownError && BROKEN.test(error.message);

/** gRPC status codes: cancelled, deadline exceeded, unavailable. */
const NO_ANSWER: readonly unknown[] = [1, 4, 14];

/**
 * The client passes on errors of its own first call on a connection, which reads the server's features, without
 * conversion.
 */
const isBareStatus = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'number' &&
  (NO_ANSWER.includes(error.code) || BROKEN.test(error.message));

/** Converts an error of the client to one of the port. */
export const portError = (cause: unknown): unknown => {
  const mapped = appErrorArguments(cause);
  return mapped ? new AppError(...mapped, { cause }) : conflictOr(cause);
};

const appErrorArguments = (
  error: unknown,
): [ConstructorParameters<typeof AppError>[0], string] | undefined => {
  if (error instanceof MaxAppendSizeExceededError)
    return ['append-too-large', 'the event store refuses an append of this size: split it'];
  if (isAmbiguous(error))
    return ['event-store-unavailable', 'the event store does not answer: is it running?'];
  if (
    error instanceof PersistentSubscriptionDroppedError ||
    error instanceof PersistentSubscriptionDoesNotExistError
  )
    return ['event-store-unavailable', 'the event store has ended the subscription'];
  if (error instanceof AccessDeniedError)
    return ['event-store-unavailable', 'the event store refuses the credentials of its connection string'];
  if (error instanceof Error && /disk full|no space left|MDB_MAP_FULL|ENOSPC/i.test(error.message))
    return ['disk-full', 'the disk of the event store is full: nothing was recorded'];
  return undefined;
};

const conflictOr = (error: unknown): unknown =>
  error instanceof WrongExpectedVersionError
    ? new ConflictError('another writer was faster', { cause: error })
    : error;
