import { isSessionEventType, type SessionEvent, type SessionEventType } from '@app/domain';
import type { RecordedInLog, StoredEvent } from '@app/ports';
import type { MemoryStore } from './memory-store.js';

export type Message = { readonly recorded: RecordedInLog; readonly retries: number };
/** A subscriber, which holds at most `room` messages at a time. */
export type Consumer = { readonly held: Set<Message>; readonly room: number };

/** An in-memory consumer group: a delivered message is held until it is answered, or its consumer disconnects. */
export class MemoryGroup {
  /** Parked messages with their reasons. */
  readonly parked: { readonly recorded: RecordedInLog; readonly reason: string }[] = [];
  private readonly again: Message[] = [];
  private next = 0;

  constructor(
    private readonly store: MemoryStore,
    private readonly types: readonly SessionEventType[],
  ) {}

  /** Returns the next message; `undefined` if the consumer has no room or there is none. */
  take(consumer: Consumer): Message | undefined {
    if (consumer.held.size >= consumer.room) return undefined;
    const message = this.again.shift() ?? this.fresh();
    if (message) consumer.held.add(message);
    return message;
  }

  ack(consumer: Consumer, message: Message): void {
    this.letGo(consumer, message);
  }

  retry(consumer: Consumer, message: Message): void {
    if (this.letGo(consumer, message)) this.again.push(onceMore(message));
  }

  park(consumer: Consumer, message: Message, reason: string): void {
    if (this.letGo(consumer, message)) this.parked.push({ recorded: message.recorded, reason });
  }

  /** Redelivers the consumer's unanswered messages to others. */
  disconnect(consumer: Consumer): void {
    this.again.unshift(...[...consumer.held].map(onceMore));
    consumer.held.clear();
    this.store.wakeAll();
  }

  private letGo(consumer: Consumer, message: Message): boolean {
    if (!consumer.held.delete(message)) return false;
    this.store.wakeAll();
    return true;
  }

  private fresh(): Message | undefined {
    for (;;) {
      const recorded = this.store.records[this.next];
      if (!recorded) return undefined;
      this.next += 1;
      if (isOfSession(recorded) && this.types.includes(recorded.event.type)) return { recorded, retries: 0 };
    }
  }
}

export const isOfSession = (recorded: RecordedInLog<StoredEvent>): recorded is RecordedInLog<SessionEvent> =>
  isSessionEventType(recorded.event.type);

const onceMore = ({ recorded, retries }: Message): Message => ({ recorded, retries: retries + 1 });
