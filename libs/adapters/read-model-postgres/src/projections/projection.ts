import { isSessionEventType, isTenantEventType, type SessionEvent, type TenantEvent } from '@app/domain';
import { AppError, type SessionId, sessionOf, type TenantId, tenantOf } from '@app/kernel';
import type { ProjectionName, RecordedInLog, StoredEvent } from '@app/ports';
import type { Transaction } from 'kysely';
import type { ReadTables } from '../rows/read-tables.js';

/** An event of the log, with whose session it is. */
export type SessionLogEvent = RecordedInLog & { readonly tenant: TenantId; readonly session: SessionId };
/** An event of the log, with whose it is. */
export type TenantLogEvent = RecordedInLog<TenantEvent> & { readonly tenant: TenantId };
/** Either of them, as the log has them. */
export type AnyLogEvent = SessionLogEvent | TenantLogEvent;

export const isOfSession = (recorded: AnyLogEvent): recorded is SessionLogEvent => 'session' in recorded;

type Apply<LogEvent> = (trx: Transaction<ReadTables>, events: readonly LogEvent[]) => Promise<void>;

/**
 * Turns events into rows and nothing else: whether and when is not its business. What it takes comes in the order of
 * the log, and none of it was applied before; rows depend on that order alone, not on how it is parted into calls. Rows
 * of sessions' events and rows of tenants' events do not depend on each other, but where one takes all.
 */
export type Projection = {
  readonly name: ProjectionName;
  /** All that it writes to; the first one is the read model, others are what it keeps for counting on. */
  readonly tables: readonly [string, ...string[]];
  /** What it makes of the events of sessions, where it takes any. */
  readonly apply?: Apply<SessionLogEvent>;
  /** What it makes of the events of tenants, where it takes any. */
  readonly applyTenants?: Apply<TenantLogEvent>;
  /** What it makes of the events of both, where their order matters to it: it then has neither of the others. */
  readonly applyAll?: Apply<AnyLogEvent>;
};

export type LogEvents = {
  /** In the order of the log. */
  readonly all: readonly AnyLogEvent[];
  readonly sessions: readonly SessionLogEvent[];
  readonly tenants: readonly TenantLogEvent[];
};

/** @throws {AppError} `corrupt-event` where a stream's name is none that this service gives to such an event. */
export const logEvents = (read: readonly RecordedInLog<StoredEvent>[]): LogEvents => {
  const all: AnyLogEvent[] = [];
  for (const recorded of read) {
    const session = sessionOf(recorded.stream);
    const tenant = tenantOf(recorded.stream);
    if (session && isSessions(recorded)) all.push({ ...recorded, ...session });
    else if (tenant && isTenants(recorded)) all.push({ ...recorded, tenant });
    else {
      throw new AppError(
        'corrupt-event',
        `the event at ${recorded.position} is in a stream that holds no such events`,
      );
    }
  }
  return { all, sessions: all.filter(isOfSession), tenants: all.filter(isOfTenant) };
};

const isOfTenant = (recorded: AnyLogEvent): recorded is TenantLogEvent => !isOfSession(recorded);
const isSessions = (one: RecordedInLog<StoredEvent>): one is RecordedInLog<SessionEvent> =>
  isSessionEventType(one.event.type);
const isTenants = (one: RecordedInLog<StoredEvent>): one is RecordedInLog<TenantEvent> =>
  isTenantEventType(one.event.type);
