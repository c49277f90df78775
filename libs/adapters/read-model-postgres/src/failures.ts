import { AppError, codeOf } from '@app/kernel';

/** Returns the error of a failed connection, naming the server without a password. */
export const connectionFailure = (error: unknown, server: string): AppError =>
  error instanceof AppError ? error : unavailable(error, server, 'cannot be reached');

/**
 * Returns the error of a failed query: a port error if the server is the cause, else the original. PostgreSQL's error
 * classes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const queryFailure = (error: unknown, server: string): unknown => {
  const code = codeOf(error);
  if (code === DISK_FULL) {
    return new AppError('disk-full', `the disk of ${server} is full: make room and start again`, {
      cause: error,
    });
  }
  return isServerAtFault(error) ? unavailable(error, server, 'went away') : error;
};

/** Whether a query failed since the server has gone away, and its connection with it. */
export const isServerAtFault = (error: unknown): boolean =>
  SERVER_AT_FAULT.test(codeOf(error) ?? '') || LOST_CONNECTION.test(messageOf(error));

const DISK_FULL = '53100';
/**
 * Class 08: the connection; 57P0x: shut down, crashed, not up yet; and node's own codes for a broken socket.
 */
const SERVER_AT_FAULT =
  /^(08...|57P0[1-5]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** Errors of the `pg` package without a code. */
const LOST_CONNECTION =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed/;

const unavailable = (error: unknown, server: string, what: string): AppError =>
  new AppError(
    'postgres-unavailable',
    `${server} ${what} (${messageOf(error) || codeOf(error)}): start it, or correct PALIMPSEST_POSTGRES_URL`,
    { cause: error },
  );

/** By shape, because an error of another realm is not an instance of our `Error`. */
const messageOf = (error: unknown): string => {
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : '';
  return typeof message === 'string' ? message : '';
};
