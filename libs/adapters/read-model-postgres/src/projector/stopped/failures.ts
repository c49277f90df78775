import { AppError } from '@app/kernel';
import type { ProjectionName, StoppedStream } from '@app/ports';

/** Whether waiting is all that can be done, and may help: the log, the database or its disk is not there. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'event-store-unavailable' ||
    error.code === 'postgres-unavailable' ||
    error.code === 'disk-full');

/** Whether `lock_timeout` ended the statement. */
export const isLockTimeout = (error: unknown): boolean => sqlStateOf(error) === '55P03';

/**
 * Classes of SQLSTATE that speak of the values of a row: cardinality, data, constraints, triggers, program limits. All
 * others speak of the server, its schema or its load.
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const OF_VALUES = /^(09|21|22|23|27|2F|38|39|44|54|P0)/;

/**
 * Whether the events are at fault that a row was made of: their decoding, their folding, or a value that no row takes.
 * A failure of the log or the database is not: the same events may succeed the next moment.
 */
export const isPoison = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  if (state !== undefined) return OF_VALUES.test(state);
  return !isOutage(error) && !isOfSystem(error);
};

/** Returns whether the database caused the failure of a statement; the batch is then retried. */
export const isOfDatabase = (error: unknown): boolean =>
  isOutage(error) || isOfSystem(error) || sqlStateOf(error) !== undefined;

/** Whether an error comes from a failed system call, such as one on a socket. */
const isOfSystem = (error: unknown): boolean => typeof fieldOf(error, 'syscall') === 'string';

const sqlStateOf = (error: unknown): string | undefined => {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && fieldOf(error, 'severity') !== undefined
    ? code
    : undefined;
};

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** The rows of a stream have stopped in a projection. */
export class StreamStopped extends AppError {
  readonly projection: ProjectionName;

  constructor({ projection, stream, revision, type, error }: Omit<StoppedStream, 'at' | 'retryRequested'>) {
    super(
      'projection-stopped',
      `projection "${projection}" cannot take event ${revision} of ${stream} (${type}): ${error}`,
    );
    this.projection = projection;
  }
}

/** The code of an error: its words may quote message content. */
export const classOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  const name = error instanceof Error ? error.name : 'unknown';
  const code = fieldOf(error, 'code');
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? `${name} ${code}` : name;
};
