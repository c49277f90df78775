import { AppError } from '@app/kernel';
import type { ProjectionName, RecordedInLog, StoredEvent } from '@app/ports';

/** Whether waiting is all that can be done, and may help: the log, the database or its disk is not there. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'event-store-unavailable' ||
    error.code === 'postgres-unavailable' ||
    error.code === 'disk-full');

/** Whether the log holds something there that this version cannot read: another one may. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'corrupt-event';

/** Whether `lock_timeout` ended the statement. */
export const isLockTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === '55P03';

/** Where an event stands: of one that cannot be read, that is all there is. */
export type EventPlace = Pick<RecordedInLog<StoredEvent>, 'stream' | 'revision' | 'position'>;

/** A projection cannot take events that the others may well take. */
export class ProjectionFailure extends AppError {
  constructor(
    readonly projection: ProjectionName,
    /** In the order of the log; never empty. */
    readonly events: readonly EventPlace[],
    cause: unknown,
  ) {
    const at = events.length === 1 ? `the event at ${events[0]?.position}` : `one of ${events.length} events`;
    super('projection-stopped', `projection "${projection}" fails at ${at} (${classOf(cause)})`, { cause });
  }

  /** The event that it fails at, where that is known. */
  get event(): EventPlace | undefined {
    return this.events.length === 1 ? this.events[0] : undefined;
  }
}

/** What may be shown of an error: its words may quote what somebody wrote. */
export const classOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  const name = error instanceof Error ? error.name : 'unknown';
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? `${name} ${code}` : name;
};
