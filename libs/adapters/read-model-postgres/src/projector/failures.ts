import { AppError } from '@app/kernel';

/** Whether waiting is all that can be done, and may help: the log, the database or its disk is not there. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'event-store-unavailable' ||
    error.code === 'postgres-unavailable' ||
    error.code === 'disk-full');

/** Whether `lock_timeout` ended the statement. */
export const isLockTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === '55P03';
