import { randomUUID } from 'node:crypto';
import { EventHub, type Streamed, type StreamFilter, type StreamReader } from '@app/application';
import type { SessionEvent, SessionEventType } from '@app/domain';
import { Actor, AppError, type LogPosition, Revision, SessionId, sessionStream, TenantId } from '@app/kernel';
import type { EventItem, LogItem, Subscriptions } from '@app/ports';
import { type MemoryLog, openedEvent, openMemoryLog } from '@app/testing';

const context = { actor: Actor('tester'), correlationId: 'turn' };

/** An in-memory log with a hub, and a writer. */
export class Streaming {
  readonly log: MemoryLog = openMemoryLog();
  readonly problems: unknown[] = [];
  readonly hub: EventHub;
  /** The number of opened and read subscriptions. */
  subscriptions = 0;
  pages = 0;
  readonly #revisions = new Map<string, Revision>();
  readonly #unreadable = new Set<string>();

  constructor({ readersMax = 10, events = 1_000, characters = 1_000_000 } = {}) {
    this.hub = new EventHub({
      subscriptions: this.#damaged(),
      factsOf: ({ type }) => ({ facts: type }),
      readersMax,
      bounds: { events, characters },
      onError: (error) => this.problems.push(error),
    });
  }

  /** Writes the next event of a session: its opening, then one turn after another. */
  async write(session: string, tenant = 'acme'): Promise<void> {
    const stream = sessionStream(TenantId(tenant), SessionId(session));
    const last = this.#revisions.get(stream);
    const turn = (last ?? 0) + 1;
    const event: SessionEvent =
      last === undefined ? openedEvent() : { type: 'TurnCompleted', data: { turn, stopReason: 'end_turn' } };
    const events = [{ id: randomUUID(), event }];
    this.#revisions.set(stream, await this.log.log.append(stream, last ?? 'no-stream', events, context));
  }

  /** Writes an unreadable event. */
  writeUnreadable(session: string, tenant = 'acme'): Promise<void> {
    const stream = sessionStream(TenantId(tenant), SessionId(session));
    this.#unreadable.add(`${stream} ${(this.#revisions.get(stream) ?? -1) + 1}`);
    return this.write(session, tenant);
  }

  #damaged(): Subscriptions {
    const { subscriptions } = this.log;
    return {
      head: () => subscriptions.head(),
      durable: (...given) => subscriptions.durable(...given),
      streamPage: (...given) => subscriptions.streamPage(...given),
      catchUpAll: (...given) => subscriptions.catchUpAll(...given),
      catchUpTenants: (...given) => subscriptions.catchUpTenants(...given),
      catchUp: (...given) => {
        this.subscriptions += 1;
        return this.#followed(subscriptions.catchUp(...given));
      },
      page: async (...given) => {
        this.pages += 1;
        const page = await subscriptions.page(...given);
        return { ...page, items: page.items.map((item) => this.#damagedItem(item)) };
      },
    };
  }

  async *#followed(items: AsyncIterable<LogItem>): AsyncIterable<LogItem> {
    for await (const item of items) {
      if (item.kind === 'event' || item.kind === 'unreadable') yield this.#damagedItem(item);
      else yield item;
    }
  }

  #damagedItem(item: EventItem): EventItem {
    if (item.kind !== 'event') return item;
    const { stream, revision, position, event } = item.recorded;
    if (!this.#unreadable.has(`${stream} ${revision}`)) return item;
    const error = new AppError('corrupt-event', 'foreign event');
    return { kind: 'unreadable', unreadable: { stream, revision, position, type: event.type, error } };
  }

  open(
    after: LogPosition | 'start' | 'now' = 'start',
    { tenant = 'acme', sessions = [], types = [], follow = true }: FilterText = {},
  ): Promise<StreamReader> {
    const filter: StreamFilter = {
      tenant: TenantId(tenant),
      sessions: sessions.map(SessionId),
      types,
      follow,
    };
    return this.hub.open(filter, after);
  }
}

type FilterText = {
  readonly tenant?: string;
  readonly sessions?: readonly string[];
  readonly types?: readonly SessionEventType[];
  readonly follow?: boolean;
};

/** Returns `session/revision`. */
export const placeOf = (event: Streamed): string => {
  const { session, revision }: { session: string; revision: number } = JSON.parse(event.json('full'));
  return `${session}/${revision}`;
};

/** Returns the next `count` events, or fewer if the reader ends. */
export const take = async (events: AsyncGenerator<Streamed>, count: number): Promise<Streamed[]> => {
  const taken: Streamed[] = [];
  while (taken.length < count) {
    const { done, value } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
};

export const revisionsFrom = (session: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `${session}/${Revision(from + at)}`);
