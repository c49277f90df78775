import type { ListedMessage, MessageWindow } from '@app/contract';
import { sessionNotFound } from '@app/domain';
import { AppError, firstOf, Revision } from '@app/kernel';
import { QueryOnSession } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { type SessionRef, streamOf } from '../sessions/session-ref.js';

/** Reads original messages from a revision on, oldest first. */
export class ListMessages extends QueryOnSession<
  MessageWindow,
  {
    readonly from: Revision;
    /** Most messages of the answer. */
    readonly limit: number;
  }
> {}

/** Most events that one call reads, so that its time does not grow with the session. */
const EVENTS_MAX = 5_000;

@HandlesQuery(ListMessages)
export class ListMessagesHandler extends Handler<ListMessages, 'log'> {
  /** @throws {AppError} `session-not-found`, `revision-not-found`. */
  async execute({ ref, input: { from, limit } }: ListMessages): Promise<MessageWindow> {
    const revision = await this.newest(ref);
    if (from > revision) {
      const message = `session "${ref.session}" has no revision ${from}: give one up to its newest, ${revision}`;
      throw new AppError('revision-not-found', message);
    }
    const items: ListedMessage[] = [];
    let last = from;
    for await (const recorded of this.parts.log.readForwards(streamOf(ref), { from, limit: EVENTS_MAX })) {
      const { event, revision: at, recordedAt } = recorded;
      last = at;
      if (event.type !== 'MessageAppended') continue;
      const { id, role, synthetic, blocks: content, erased } = event.data.message;
      const place = { id, revision: at, recordedAt, role, ...(synthetic && { synthetic }) };
      items.push({ ...place, countedTokens: event.data.tokens, content, ...(erased && { erased }) });
      if (items.length === limit) break;
    }
    return { revision, items, next: last < revision ? Revision(last + 1) : null };
  }

  private async newest(ref: SessionRef): Promise<Revision> {
    const newest = await firstOf(this.parts.log.readBackwards(streamOf(ref), { limit: 1 }));
    if (!newest) throw sessionNotFound(ref.session);
    return newest.revision;
  }
}
