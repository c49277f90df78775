import { AppError } from '@app/kernel';
import { Appender } from '../connection/appender.js';
import { Connection } from '../connection/connection.js';
import { copiedEvents, type Events, nextBeyondGaps } from '../copy/copied-events.js';
import { Deletions } from '../copy/deletions.js';
import { Heads } from '../copy/heads.js';
import { skipCopied } from '../copy/skip-copied.js';
import { TargetWriter } from '../copy/target-writer.js';
import { isCopy } from '../events/is-copy.js';
import type { LoggedEvent } from '../events/raw-event.js';

/**
 * Yields the events of a server behind a position, or all, up to its current end. Omits the events that every server
 * writes itself.
 *
 * @throws {AppError} `event-store-unavailable`, `invalid-configuration`.
 */
export async function* readEvents(
  url: string,
  after: bigint | undefined,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const connection = Connection.open('event store', url);
  try {
    yield* copiedEvents(connection, undefined, after);
  } finally {
    await connection.close();
  }
}

/** Whether a server has events other than the ones that every server writes itself. */
export const hasEvents = async (url: string): Promise<boolean> => {
  for await (const _ of readEvents(url, undefined)) return true;
  return false;
};

/**
 * Appends events to a server that has none, or the first ones of them, in their order and with their revisions. Lost events
 * of a stream are replaced by empty ones, so that later ones keep their revisions.
 *
 * @throws {AppError} `copy-diverged`, `append-too-large`, `event-store-unavailable`.
 */
export const appendEvents = async (url: string, events: Events): Promise<void> => {
  const connection = Connection.open('event store', url);
  try {
    const [heads, deletions] = [new Heads(), new Deletions()];
    await skipCopied(events, copiedEvents(connection), { heads, deletions }, () => undefined);
    const appender = await Appender.open(connection);
    try {
      const writer = new TargetWriter(connection, appender, heads, deletions, true);
      for await (const event of events) await writer.write(event);
      await writer.finish();
    } finally {
      appender.close();
    }
  } finally {
    await connection.close();
  }
};

/** An event and its copy, which another server has at a position of its own. */
type EventPair = { readonly original: LoggedEvent; readonly copy: LoggedEvent };

/**
 * Compares all events of a server with their originals, one by one, and calls `onPair` for each.
 *
 * @throws {AppError} `copy-diverged` with the first event that differs, is missing or too much.
 */
export const pairEvents = async (
  url: string,
  originals: AsyncIterable<LoggedEvent>,
  onPair: (pair: EventPair) => void,
): Promise<void> => {
  const connection = Connection.open('event store', url);
  const copies = copiedEvents(connection);
  try {
    for await (const original of originals) {
      const copy = await nextBeyondGaps(copies);
      if (!copy || !isCopy(copy, original))
        throw differs(`event ${original.revision} of the stream ${original.stream} differs or is missing`);
      onPair({ original, copy });
    }
    const more = await nextBeyondGaps(copies);
    if (more) throw differs(`event ${more.revision} of the stream ${more.stream} is too much`);
  } finally {
    await copies.return();
    await connection.close();
  }
};

const differs = (what: string): AppError =>
  new AppError('copy-diverged', `the copy is not complete: ${what}`);
