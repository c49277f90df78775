import type { SessionEventType, TenantEvent } from '@app/domain';
import { AppError, type LogPosition, sessionOf } from '@app/kernel';
import type {
  Delivery,
  EventPage,
  LogItem,
  LogPage,
  LogPageRequest,
  LogScope,
  RecordedInLog,
  StoredEvent,
  StreamPageRequest,
  Subscriptions,
} from '@app/ports';
import { type Consumer, isOfSession, MemoryGroup } from './memory-group.js';
import type { MemoryStore } from './memory-store.js';

/** Subscriptions to an in-memory log. */
export class MemorySubscriptions implements Subscriptions {
  readonly groups = new Map<string, MemoryGroup>();

  constructor(private readonly store: MemoryStore) {}

  catchUp(after: LogPosition | 'start', signal: AbortSignal): AsyncGenerator<LogItem> {
    return this.follow(isOfSession, after, signal);
  }

  async page({ after, scope, limit }: LogPageRequest, signal: AbortSignal): Promise<LogPage> {
    signal.throwIfAborted();
    const rest = this.store.records.slice(this.store.countUpTo(after));
    const wanted = rest.filter(isOfSession).filter((recorded) => isWithin(recorded, scope));
    const found = wanted.slice(0, limit);
    const isFull = found.length === limit;
    return {
      items: found.map((recorded) => ({ kind: 'event', recorded })),
      reached: (isFull ? found : rest).at(-1)?.position ?? after,
      isFull,
    };
  }

  async streamPage({ stream, from, limit }: StreamPageRequest, signal: AbortSignal): Promise<EventPage> {
    signal.throwIfAborted();
    const found = this.store.records.filter((one) => one.stream === stream && one.position >= from);
    const items = found.slice(0, limit).map((recorded) => ({ kind: 'event', recorded }) as const);
    return { items, next: found[limit]?.position };
  }

  catchUpTenants(after: LogPosition | 'start', signal: AbortSignal): AsyncGenerator<LogItem<TenantEvent>> {
    return this.follow(isOfTenant, after, signal);
  }

  catchUpAll(after: LogPosition | 'start', signal: AbortSignal): AsyncGenerator<LogItem<StoredEvent>> {
    return this.follow((_): _ is RecordedInLog<StoredEvent> => true, after, signal);
  }

  private async *follow<Evt extends StoredEvent>(
    isWanted: (recorded: RecordedInLog<StoredEvent>) => recorded is RecordedInLog<Evt>,
    after: LogPosition | 'start',
    signal: AbortSignal,
  ): AsyncGenerator<LogItem<Evt>> {
    const connection = this.store.connection;
    let next = this.store.countUpTo(after);
    let live = false;
    while (!signal.aborted) {
      this.requireConnection(connection);
      const recorded = this.store.records[next];
      if (recorded) {
        next += 1;
        if (isWanted(recorded)) yield { kind: 'event', recorded };
      } else if (!live) {
        live = true;
        const last = this.store.records.at(-1);
        if (last) yield { kind: 'checkpoint', position: last.position };
        yield { kind: 'caught-up' };
      } else await this.store.change(signal);
    }
  }

  async *durable(
    name: string,
    types: readonly SessionEventType[],
    signal: AbortSignal,
    held = 1,
  ): AsyncGenerator<Delivery> {
    const group = this.groups.get(name) ?? new MemoryGroup(this.store, types);
    this.groups.set(name, group);
    const connection = this.store.connection;
    const consumer: Consumer = { held: new Set(), room: held };
    try {
      while (!signal.aborted) {
        this.requireConnection(connection);
        const message = group.take(consumer);
        if (!message) {
          await this.store.change(signal);
          continue;
        }
        const { recorded, retries } = message;
        yield {
          recorded,
          retries,
          ack: async () => group.ack(consumer, message),
          retry: async () => group.retry(consumer, message),
          park: async (reason) => group.park(consumer, message, reason),
        };
      }
    } finally {
      group.disconnect(consumer);
    }
  }

  async head(): Promise<LogPosition | 'start'> {
    return this.store.records.at(-1)?.position ?? 'start';
  }

  private requireConnection(connection: number): void {
    if (connection === this.store.connection) return;
    throw new AppError('event-store-unavailable', 'the connection was lost');
  }
}

const isWithin = ({ stream }: RecordedInLog, scope: LogScope): boolean => {
  const found = sessionOf(stream);
  return found?.tenant === scope.tenant && (scope.session === undefined || found.session === scope.session);
};
/** Whether the event is a decision about a tenant; reads are in another stream. */
const isOfTenant = (recorded: RecordedInLog<StoredEvent>): recorded is RecordedInLog<TenantEvent> =>
  !isOfSession(recorded) && recorded.event.type !== 'AuditRead' && recorded.event.type !== 'ContentRead';
