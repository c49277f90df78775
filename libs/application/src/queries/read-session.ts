import { sessionNotFound } from '@app/domain';
import { AppError, type AsOf, firstOf, Revision } from '@app/kernel';
import type { Recorded } from '@app/ports';
import { QueryOnSession } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { revisionAsOf } from '../sessions/revision-as-of.js';
import { streamOf } from '../sessions/session-ref.js';

/** Events of a session between two revisions, inclusive, oldest first; later events are not included. */
export class SessionHistory implements AsyncIterable<Recorded> {
  constructor(
    readonly from: Revision,
    readonly to: Revision,
    private readonly events: AsyncIterable<Recorded>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Recorded, void, undefined> {
    for await (const recorded of this.events) {
      yield recorded;
      if (recorded.revision >= this.to) return;
    }
  }
}

/** Reads the events of a session from a revision up to now, or a window of them, with content. */
export class ReadSession extends QueryOnSession<
  SessionHistory,
  {
    readonly from?: Revision | undefined;
    /** State to read up to; by default the current one. */
    readonly asOf?: AsOf | undefined;
    /** Most events; all by default. */
    readonly limit?: number | undefined;
  }
> {}

@HandlesQuery(ReadSession)
export class ReadSessionHandler extends Handler<ReadSession, 'log'> {
  /** @throws {AppError} `session-not-found`, `revision-not-found`, `request-not-found`. */
  async execute({ ref, input: { from = Revision(0), asOf, limit } }: ReadSession): Promise<SessionHistory> {
    const newest = await firstOf(this.parts.log.readBackwards(streamOf(ref), { limit: 1 }));
    if (!newest) throw sessionNotFound(ref.session);
    if (from > newest.revision) {
      const message = `session "${ref.session}" has no revision ${from}: give one up to its newest, ${newest.revision}`;
      throw new AppError('revision-not-found', message);
    }
    const events = this.parts.log.readForwards(streamOf(ref), {
      from,
      ...(limit !== undefined && { limit }),
    });
    const last = asOf === undefined ? newest.revision : await revisionAsOf(this.parts.log, ref, asOf);
    const to = limit === undefined ? last : Revision(Math.min(last, from + limit - 1));
    return new SessionHistory(from, to, events);
  }
}
