import type { LogPosition } from '@app/kernel';
import type { ProjectionName } from '@app/ports';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { LogPart } from '../log/read-batches.js';
import { logEvents, type Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import {
  applyBisecting,
  concerns,
  type IsSkipped,
  type LogEvent,
  stopAtUnreadable,
  type Taken,
  take,
} from './apply-bisecting.js';
import { isBefore, lockCheckpoints, type Move, movePositions, type Positions } from './checkpoints.js';
import { isPoison, type StreamStop } from './stopped-streams.js';

/** The serving schema, and the one of a rebuild. */
export type Schema = 'read' | 'read_rebuild';

/** The new checkpoints, and the streams stopped by the batch. */
export type Applied = { readonly positions: Positions; readonly stops: readonly StreamStop[] };

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
  // A rebuild restarts after a crash, so that its commits need not wait for the disk.
  if (schema === 'read_rebuild') await sql`set local synchronous_commit to off`.execute(trx);
  // The checkpoints come first: their row locks make another process wait here, not half way through.
  const locked = await lockCheckpoints(trx, projections, streamsOf(part));
  const positions = new Map([...locked].map(([name, { position }]) => [name, position] as const));
  for (const [name, position] of believed ?? []) if (positions.get(name) !== position) return 'overtaken';
  const moved = new Map<ProjectionName, LogPosition | 'start'>(positions);
  const takePart = takingPart(trx, part, isSkipped, way);
  const moves: Move[] = [];
  const stops: StreamStop[] = [];
  for (const projection of projections) {
    const { position: at, stopped } = locked.get(projection.name) ?? START;
    if (!isBefore(at, part.position)) continue;
    const isNew: IsNew = ({ position, stream }) => isBefore(at, position) && !stopped.has(stream);
    const taken = await takePart(projection, isNew);
    stops.push(...taken.stops);
    moves.push({ projection: projection.name, to: part.position, events: taken.events });
    moved.set(projection.name, part.position);
  }
  if (moves.length > 0) await movePositions(trx, moves);
  return { positions: moved, stops };
};

const START = { position: 'start', stopped: new Set<string>() } as const;

const streamsOf = ({ events, unreadable }: LogPart): readonly string[] => [
  ...new Set([...events, ...(unreadable ? [unreadable] : [])].map(({ stream }) => stream)),
];

/** Whether an event is new to a projection and in no stopped stream. */
type IsNew = (event: Pick<LogEvent, 'position' | 'stream'>) => boolean;

/** Returns the work that applies a part of the log to one projection. @throws {AppError} `corrupt-event`. */
const takingPart = (
  trx: Transaction<ReadTables>,
  { events, unreadable }: LogPart,
  isSkipped: IsSkipped,
  way: Way,
): ((projection: Projection, isNew: IsNew) => Promise<Taken>) => {
  if (unreadable)
    return async (projection, isNew) =>
      isNew(unreadable) && concerns(projection, unreadable.stream)
        ? stopAtUnreadable(trx, projection.name, unreadable, isSkipped)
        : { events: 0, stops: [] };
  if (way === 'apart')
    return (projection, isNew) => {
      const concerned = events.filter((one) => isNew(one) && concerns(projection, one.stream));
      return applyBisecting(trx, projection, concerned, isSkipped);
    };
  const all = logEvents(events);
  return async (projection, isNew) => ({ events: await take(trx, projection, all.filter(isNew)), stops: [] });
};

/** Sets the schema of unqualified table names until the transaction ends. */
export const useSchema = async (trx: Transaction<ReadTables>, schema: Schema): Promise<void> => {
  await sql`set local search_path to ${sql.id(schema)}`.execute(trx);
};
