import { sessionOf, tenantOf } from '@app/kernel';
import type { ProjectionName, RecordedInLog, StoredEvent, UnreadableEvent } from '@app/ports';
import { sql, type Transaction } from 'kysely';
import {
  type AnyLogEvent,
  isOfSession,
  isOfTenant,
  logEvents,
  type Projection,
} from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { classOf, isPoison, recordStop, type StreamStop } from './stopped-streams.js';

export type LogEvent = RecordedInLog<StoredEvent>;
/** Whether an operator has decided that the rows go on without the event. */
export type IsSkipped = (stop: StreamStop) => Promise<boolean>;

/** The result: the number of applied events, and the stopped streams. */
export type Taken = { readonly events: number; readonly stops: readonly StreamStop[] };
const NOTHING: Taken = { events: 0, stops: [] };

/**
 * Whether a projection makes rows of a stream's events. Streams that belong to no tenant concern the projection that is
 * made of everything: there they are seen.
 */
export const concerns = ({ apply, applyTenants, applyAll }: Projection, stream: string): boolean => {
  if (applyAll) return true;
  if (sessionOf(stream)) return apply !== undefined;
  return tenantOf(stream) !== undefined && applyTenants !== undefined;
};

/** Applies events, and returns how many. */
export const take = async (
  trx: Transaction<ReadTables>,
  { apply, applyTenants, applyAll }: Projection,
  events: readonly AnyLogEvent[],
): Promise<number> => {
  if (applyAll) {
    if (events.length > 0) await applyAll(trx, events);
    return events.length;
  }
  const sessions = apply ? events.filter(isOfSession) : [];
  const tenants = applyTenants ? events.filter(isOfTenant) : [];
  if (sessions.length > 0) await apply?.(trx, sessions);
  if (tenants.length > 0) await applyTenants?.(trx, tenants);
  return sessions.length + tenants.length;
};

/**
 * Applies a batch with poison events: each of them stops its stream, and all events of other streams are applied in
 * order. Bisects failures, so that one poison event among n costs log n attempts.
 *
 * @throws errors not caused by an event; the transaction is then rolled back.
 */
export const applyBisecting = async (
  trx: Transaction<ReadTables>,
  projection: Projection,
  events: readonly LogEvent[],
  isSkipped: IsSkipped,
): Promise<Taken> => {
  const [first] = events;
  if (!first) return NOTHING;
  const failure = await attempt(trx, projection, events);
  if (!failure) return { events: events.length, stops: [] };
  if (events.length === 1) {
    const { stream, revision, position, event } = first;
    const place = { projection: projection.name, stream, revision, position, type: event.type };
    return stop(trx, { ...place, error: classOf(failure.error) }, isSkipped);
  }
  const middle = events.length >> 1;
  const before = await applyBisecting(trx, projection, events.slice(0, middle), isSkipped);
  const stopped = new Set<string>(before.stops.map(({ stream }) => stream));
  const rest = events.slice(middle).filter(({ stream }) => !stopped.has(stream));
  const behind = await applyBisecting(trx, projection, rest, isSkipped);
  return { events: before.events + behind.events, stops: [...before.stops, ...behind.stops] };
};

/** Stops the stream of an unreadable event. */
export const stopAtUnreadable = (
  trx: Transaction<ReadTables>,
  projection: ProjectionName,
  { stream, revision, position, type, error }: UnreadableEvent,
  isSkipped: IsSkipped,
): Promise<Taken> =>
  stop(trx, { projection, stream, revision, position, type, error: classOf(error) }, isSkipped);

const stop = async (
  trx: Transaction<ReadTables>,
  place: StreamStop,
  isSkipped: IsSkipped,
): Promise<Taken> => {
  if (await isSkipped(place)) return NOTHING;
  await recordStop(trx, place);
  return { events: 0, stops: [place] };
};

/** Returns the failure if an event caused it, with the transaction rolled back to the savepoint. */
const attempt = async (
  trx: Transaction<ReadTables>,
  projection: Projection,
  events: readonly LogEvent[],
): Promise<{ readonly error: unknown } | undefined> => {
  await sql`savepoint before_events`.execute(trx);
  try {
    await take(trx, projection, logEvents(events));
  } catch (error) {
    if (!isPoison(error)) throw error;
    await sql`rollback to savepoint before_events`.execute(trx);
    await sql`release savepoint before_events`.execute(trx);
    return { error };
  }
  await sql`release savepoint before_events`.execute(trx);
  return undefined;
};
