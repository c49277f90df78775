import { AppError, type AsOf, type Revision } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { revisionAsOf } from '../requests/revision-as-of.js';
import { type SessionRef, streamOf } from '../sessions/session-ref.js';

/** Every event of a session in order, from a revision on: the raw log, with all content. */
export class ReadSession extends Query<AsyncIterable<Recorded>> {
  constructor(
    readonly ref: SessionRef,
    readonly from?: Revision,
    /** The newest state that is read; the newest there is where it is not given. */
    readonly asOf?: AsOf,
  ) {
    super();
  }
}

@QueryHandler(ReadSession)
export class ReadSessionHandler implements IQueryHandler<ReadSession> {
  constructor(private readonly log: EventLog) {}

  /** @throws {AppError} `session-not-found`, `revision-not-found`, `request-not-found`. */
  async execute({ ref, from, asOf }: ReadSession): Promise<AsyncIterable<Recorded>> {
    const newest = await first(this.log.readBackwards(streamOf(ref), { limit: 1 }));
    if (!newest) {
      const message = `there is no session "${ref.session}": \`palimpsest sessions\` lists those there are`;
      throw new AppError('session-not-found', message);
    }
    if (from !== undefined && from > newest.revision) {
      const message = `session "${ref.session}" has not come to revision ${from} yet: its newest is ${newest.revision}`;
      throw new AppError('revision-not-found', message);
    }
    const events = this.log.readForwards(streamOf(ref), from === undefined ? {} : { from });
    return asOf === undefined ? events : upTo(events, await revisionAsOf(this.log, ref, asOf));
  }
}

async function* upTo(
  events: AsyncIterable<Recorded>,
  last: Revision,
): AsyncGenerator<Recorded, void, undefined> {
  for await (const recorded of events) {
    if (recorded.revision > last) return;
    yield recorded;
  }
}

const first = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> => {
  for await (const item of items) return item;
  return undefined;
};
