import { invariant, type LogPosition } from '@app/kernel';
import type { EventPage } from '@app/ports';
import type { Kysely, Transaction } from 'kysely';
import type { Projection } from '../projections/projection.js';
import type { ReadTables } from '../rows/read-tables.js';
import { applyBisecting, type IsSkipped, type LogEvent, stopAtUnreadable, useSchema } from './apply-batch.js';

import { isBefore, movePositions, readPositions } from './checkpoints.js';
import { announceStops, serving } from './follow.js';
import type { ProjectorParts } from './progress.js';
import { moveStop, removeStop, type StreamStop } from './stopped-streams.js';

const EVENTS_A_PAGE = 500;

/**
 * Retries a stopped stream, from the event that stopped it up to the checkpoint of its projection, in stream order.
 * Runs in the projecting process between two batches, while the checkpoint is fixed.
 * The stream rejoins the others if all events were applied; otherwise it stops again, at the same or a later event.
 * Each page is one transaction with the stream's position.
 *
 * @throws errors not caused by an event; the retry then stays requested.
 */
export const resumeStream = async (
  connection: Kysely<ReadTables>,
  parts: ProjectorParts,
  stop: StreamStop,
  signal: AbortSignal,
): Promise<void> => {
  const projection = parts.projections.find(({ name }) => name === stop.projection);
  invariant(projection, 'a stop is of a projection that this version has');
  const { isSkipped } = serving(parts, signal);
  for (let from: LogPosition | undefined = stop.position; from !== undefined && !signal.aborted; ) {
    const request = { stream: stop.stream, from, limit: EVENTS_A_PAGE };
    const page = await parts.subscriptions.streamPage(request, signal);
    const result = await connection
      .transaction()
      .execute((trx) => resumePage(trx, projection, { stop, page, isSkipped }));
    announceStops(parts, result.stops);
    from = result.next;
  }
};

type PageOfStop = {
  readonly stop: StreamStop;
  readonly page: EventPage;
  readonly isSkipped: IsSkipped;
};
/** `next` is the start of the next page; `undefined` after the last page, and if the stream stopped again. */
type Resumed = { readonly stops: readonly StreamStop[]; readonly next: LogPosition | undefined };

const resumePage = async (
  trx: Transaction<ReadTables>,
  projection: Projection,
  { stop, page, isSkipped }: PageOfStop,
): Promise<Resumed> => {
  await useSchema(trx, 'read');
  const positions = await readPositions(trx, [projection], 'for update');
  const checkpoint = positions.get(projection.name) ?? 'start';
  // Events after the checkpoint arrive with those of other streams.
  const items = page.items.filter((item) => !isBefore(checkpoint, placeOf(item).position));
  let events = 0;
  let stops: readonly StreamStop[] = [];
  for (const run of runsOf(items)) {
    const taken =
      'unreadable' in run
        ? await stopAtUnreadable(trx, projection.name, run.unreadable, isSkipped)
        : await applyBisecting(trx, projection, run.events, isSkipped);
    events += taken.events;
    stops = taken.stops;
    if (stops.length > 0) break;
  }
  if (checkpoint !== 'start')
    await movePositions(trx, [{ projection: projection.name, to: checkpoint, events }]);
  if (stops.length > 0) return { stops, next: undefined };
  if (page.next === undefined || isBefore(checkpoint, page.next)) {
    await removeStop(trx, stop);
    return { stops: [], next: undefined };
  }
  const last = page.items.at(-1);
  invariant(last, 'a page that goes on has events');
  await moveStop(trx, stop, { revision: placeOf(last).revision + 1, position: page.next });
  return { stops: [], next: page.next };
};

type Item = EventPage['items'][number];
const placeOf = (item: Item) => (item.kind === 'event' ? item.recorded : item.unreadable);

type Run =
  | { readonly events: readonly LogEvent[] }
  | { readonly unreadable: Extract<Item, { kind: 'unreadable' }>['unreadable'] };

/** Events that follow each other, and each that cannot be read by itself. */
const runsOf = (items: readonly Item[]): readonly Run[] => {
  const runs: ({ events: LogEvent[] } | Exclude<Run, { events: unknown }>)[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (item.kind === 'unreadable') runs.push({ unreadable: item.unreadable });
    else if (last && 'events' in last) last.events.push(item.recorded);
    else runs.push({ events: [item.recorded] });
  }
  return runs;
};
