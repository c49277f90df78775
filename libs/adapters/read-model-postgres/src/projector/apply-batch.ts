import { type LogPosition, sessionOf, tenantOf } from '@app/kernel';
import type { ProjectionName, RecordedInLog, StoredEvent, UnreadableEvent } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { LogPart } from '../log/read-batches.js';
import { type ByOwner, byOwner, logEvents, type Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import {
  type Checkpoint,
  isBefore,
  lockCheckpoints,
  type Move,
  movePositions,
  type Positions,
} from './checkpoints.js';
import { classOf, isPoison, recordStop, type StreamStop } from './stopped-streams.js';

/** The serving schema, and the one of a rebuild. */
type Schema = 'read' | 'read_rebuild';

/** The new checkpoints, and the streams stopped by the batch. */
type Applied = { readonly positions: Positions; readonly stops: readonly StreamStop[] };

/** A part of the log for projections in a schema. */
export type Batch = {
  readonly schema: Schema;
  readonly projections: readonly Projection[];
  readonly part: LogPart;
  readonly isSkipped: IsSkipped;
};

/**
 * Applies a part of the log to every projection behind it, with the checkpoints in the same transaction, so that a
 * crash loses and repeats nothing. An event that a projection cannot apply stops its stream there. `overtaken`:
 * another process has moved a checkpoint; nothing was applied, reload the checkpoints.
 *
 * @throws errors not caused by an event; nothing was applied.
 */
export const applyBatch = async (
  connection: Kysely<ReadTables>,
  batch: Batch,
  believed: Positions,
): Promise<Applied | 'overtaken'> => {
  const apply = (way: Way) =>
    connection.transaction().execute((trx) => applyIn(trx, { ...batch, way }, believed));
  try {
    return await apply('together');
  } catch (error) {
    // An event is at fault: the transaction is made again, which finds out which one.
    if (!isPoison(error)) throw error;
    return apply('apart');
  }
};

type Way = 'together' | 'apart';

/** The same in a transaction that has begun; in the schema that it names from now on. */
export const applyIn = async (
  trx: Transaction<ReadTables>,
  { schema, projections, part, isSkipped, way }: Batch & { readonly way: Way },
  believed?: Positions,
): Promise<Applied | 'overtaken'> => {
  await useSchema(trx, schema);
  // The checkpoints come first: their row locks make another process wait here, not half way through.
  const locked = await lockCheckpoints(trx, projections, streamsOf(part));
  const positions = new Map([...locked].map(([name, { position }]) => [name, position] as const));
  for (const [name, position] of believed ?? []) if (positions.get(name) !== position) return 'overtaken';
  const moved = new Map<ProjectionName, LogPosition | 'start'>(positions);
  const takePart = takingPart(trx, part, isSkipped, way);
  const behind = projections.filter(({ name }) =>
    isBefore(checkpointOf(locked, name).position, part.position),
  );
  // Together they are at work at once: one makes rows while the database writes those of another.
  const taken = await (way === 'together' ? atOnce : inTurn)(behind, (projection) =>
    takePart(projection, checkpointOf(locked, projection.name)),
  );
  const moves = behind.map(({ name }, at): Move => {
    moved.set(name, part.position);
    return { projection: name, to: part.position, events: taken[at]?.events ?? 0 };
  });
  if (moves.length > 0) await movePositions(trx, moves);
  return { positions: moved, stops: taken.flatMap(({ stops }) => stops) };
};

const checkpointOf = (locked: ReadonlyMap<ProjectionName, Checkpoint>, name: ProjectionName): Checkpoint =>
  locked.get(name) ?? START;
const START: Checkpoint = { position: 'start', stopped: new Set<string>() };

type ForEach = <Result>(
  projections: readonly Projection[],
  work: (projection: Projection) => Promise<Result>,
) => Promise<readonly Result[]>;

const inTurn: ForEach = async (projections, work) => {
  const results = [];
  for (const projection of projections) results.push(await work(projection));
  return results;
};

/** Waits for all of them after a failure, too: their statements belong to the transaction that it ends. */
const atOnce: ForEach = async (projections, work) => {
  const works = projections.map(work);
  const all = Promise.all(works); // Rejects with the first failure in time, which the others may follow from.
  all.catch(() => {});
  await Promise.allSettled(works);
  return all;
};

const streamsOf = ({ events, unreadable }: LogPart): readonly string[] => [
  ...new Set([...events, ...(unreadable ? [unreadable] : [])].map(({ stream }) => stream)),
];

/** Whether an event is new to a projection with this checkpoint, and in no stopped stream. */
const isNew = (
  { position, stream }: Pick<LogEvent, 'position' | 'stream'>,
  { position: at, stopped }: Checkpoint,
): boolean => isBefore(at, position) && !stopped.has(stream);

/** Returns the work that applies a part of the log to one projection. @throws {AppError} `corrupt-event`. */
const takingPart = (
  trx: Transaction<ReadTables>,
  { events, unreadable }: LogPart,
  isSkipped: IsSkipped,
  way: Way,
): ((projection: Projection, at: Checkpoint) => Promise<Taken>) => {
  if (unreadable)
    return async (projection, at) =>
      isNew(unreadable, at) && concerns(projection, unreadable.stream)
        ? stopAtUnreadable(trx, projection.name, unreadable, isSkipped)
        : { events: 0, stops: [] };
  if (way === 'apart')
    return (projection, at) => {
      const concerned = events.filter((one) => isNew(one, at) && concerns(projection, one.stream));
      return applyBisecting(trx, projection, concerned, isSkipped);
    };
  const all = logEvents(events);
  // Nearly always all of them are new to every projection.
  let [last, owned] = [all, byOwner(all)];
  const [first] = all;
  return async (projection, at) => {
    const areNew = at.stopped.size === 0 && (!first || isNew(first, at));
    const news = areNew ? all : all.filter((one) => isNew(one, at));
    if (news !== last) [last, owned] = [news, byOwner(news)];
    return { events: await take(trx, projection, owned), stops: [] };
  };
};

/**
 * Sets the schema of unqualified table names until the transaction ends, whose commit does not wait for the disk: rows and
 * checkpoints that a crash of the server takes back are made again from the log, which has its events on disk.
 */
export const useSchema = async (trx: Transaction<ReadTables>, schema: Schema): Promise<void> => {
  await sql`select set_config('search_path', ${schema}, true), set_config('synchronous_commit', 'off', true)`.execute(
    trx,
  );
};

export type LogEvent = RecordedInLog<StoredEvent>;
/** Whether an operator has decided that the rows go on without the event. */
export type IsSkipped = (stop: StreamStop) => Promise<boolean>;

/** The result: the number of applied events, and the stopped streams. */
type Taken = { readonly events: number; readonly stops: readonly StreamStop[] };
const NOTHING: Taken = { events: 0, stops: [] };

/**
 * Whether a projection makes rows of a stream's events. Streams that belong to no tenant concern the projection that is
 * made of everything: there they are seen.
 */
const concerns = ({ apply, applyTenants, applyAll }: Projection, stream: string): boolean => {
  if (applyAll) return true;
  if (sessionOf(stream)) return apply !== undefined;
  return tenantOf(stream) !== undefined && applyTenants !== undefined;
};

/** Applies events, and returns how many. */
const take = async (
  trx: Transaction<ReadTables>,
  { apply, applyTenants, applyAll }: Projection,
  { all, sessions, tenants }: ByOwner,
): Promise<number> => {
  if (applyAll) {
    if (all.length > 0) await applyAll(trx, all);
    return all.length;
  }
  if (sessions.length > 0) await apply?.(trx, sessions);
  if (tenants.length > 0) await applyTenants?.(trx, tenants);
  return (apply ? sessions.length : 0) + (applyTenants ? tenants.length : 0);
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
    await take(trx, projection, byOwner(logEvents(events)));
  } catch (error) {
    if (!isPoison(error)) throw error;
    await sql`rollback to savepoint before_events`.execute(trx);
    await sql`release savepoint before_events`.execute(trx);
    return { error };
  }
  await sql`release savepoint before_events`.execute(trx);
  return undefined;
};
