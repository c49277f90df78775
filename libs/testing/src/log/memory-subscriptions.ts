import type { SessionEventType } from '@app/domain';
import { AppError, type LogPosition, sessionOf } from '@app/kernel';
import type { Delivery, LogItem, LogScope, RecordedInLog, Subscriptions } from '@app/ports';
import { type Consumer, MemoryGroup } from './memory-group.js';
import type { MemoryStore } from './memory-store.js';

/** Subscriptions to a log in memory. */
export class MemorySubscriptions implements Subscriptions {
  readonly groups = new Map<string, MemoryGroup>();

  constructor(private readonly store: MemoryStore) {}

  async *catchUp(
    after: LogPosition | 'start',
    signal: AbortSignal,
    scope?: LogScope,
  ): AsyncGenerator<LogItem> {
    const connection = this.store.connection;
    let next = this.store.countUpTo(after);
    let live = false;
    while (!signal.aborted) {
      this.requireConnection(connection);
      const recorded = this.store.records[next];
      if (recorded) {
        next += 1;
        if (isWithin(recorded, scope)) yield { kind: 'event', recorded };
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
  ): AsyncGenerator<Delivery> {
    const group = this.groups.get(name) ?? new MemoryGroup(this.store, types);
    this.groups.set(name, group);
    const connection = this.store.connection;
    const consumer: Consumer = { held: undefined };
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

const isWithin = ({ stream }: RecordedInLog, scope: LogScope | undefined): boolean => {
  const found = sessionOf(stream);
  if (!scope || !found) return !scope;
  return found.tenant === scope.tenant && (scope.session === undefined || found.session === scope.session);
};
