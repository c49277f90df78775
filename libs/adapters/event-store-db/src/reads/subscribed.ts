import { LogPosition } from '@app/kernel';
import { type EventStoreDBClient, TimeoutError } from '@eventstore/db-client';
import { portError } from '../errors.js';
import { type LogRecord, LogRecords, type ReadAnswer } from '../wire/read-answer.js';
import { readAll } from './all-reads.js';

type Mark = { readonly kind: 'checkpoint'; readonly position: LogPosition } | { readonly kind: 'caught-up' };
type Subscribed = { readonly item: LogRecord } | { readonly mark: Mark };

/**
 * Yields the events of streams with these prefixes after a position in the order of the log, then live, until `signal` aborts;
 * those that are available come together.
 * EventStoreDB ends live subscriptions that take events more slowly than they are written: those go on where they ended.
 *
 * @throws {AppError} `event-store-unavailable`.
 */
export async function* subscribed(
  client: EventStoreDBClient,
  prefixes: string[],
  after: LogPosition | 'start',
  signal: AbortSignal,
): AsyncGenerator<readonly Subscribed[]> {
  const records = new LogRecords();
  for (let reached = after; !signal.aborted; ) {
    const from = reached;
    try {
      for await (const answers of readAll(client, { from, prefixes, count: 'subscribe' }, signal)) {
        const batch: Subscribed[] = [];
        for (const answer of answers) {
          const next = nextIn(answer, records);
          if (next) batch.push(next);
        }
        const last = batch.findLast((next) => 'item' in next || next.mark.kind === 'checkpoint');
        reached = (last && placeOf(last)) ?? reached;
        yield batch;
      }
    } catch (error) {
      const isTooSlow = error instanceof TimeoutError && reached !== from;
      if (!isTooSlow && !signal.aborted) throw portError(error);
    }
  }
}

const placeOf = (next: Subscribed): LogPosition | undefined => {
  if ('item' in next) return LogPosition(next.item.position.commit);
  return next.mark.kind === 'checkpoint' ? next.mark.position : undefined;
};

const nextIn = (answer: ReadAnswer, records: LogRecords): Subscribed | undefined => {
  const item = records.recordIn(answer);
  if (item) return { item };
  if (answer.hasCaughtUp()) return { mark: { kind: 'caught-up' } };
  if (!answer.hasCheckpoint()) return undefined;
  return { mark: { kind: 'checkpoint', position: LogPosition(answer.getCheckpoint().getCommitPosition()) } };
};
