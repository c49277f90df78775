import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventId } from '../log/event-id.js';
import type { EventLog } from '../log/event-log.js';
import { LINK_TYPE } from '../log/projections/links-of.js';
import { Cursor } from '../streams/reading/cursor.js';
import { deliveryOf } from '../streams/reading/delivery.js';
import { matcherOf } from '../streams/reading/event-filter.js';
import { asFailure } from '../wire/grpc-failure.js';
import { Checkpointer } from './checkpointer.js';
import type { Consumer } from './consumer.js';
import { groupDropped, groupFull } from './failures.js';
import { type GroupDefinition, parkedStreamOf } from './group-definition.js';
import { type Message, Messages } from './messages.js';

/**
 * One persistent subscription: hands events to competing consumers, at least once and in no promised order.
 *
 * It reads only as far as consumers have room, so that it holds what is being worked on and one batch more.
 */
export class Group {
  readonly consumers: Consumer[] = [];
  readonly messages = new Messages();
  readonly checkpointer: Checkpointer;
  /** Events given to consumers since the start of the server, redeliveries included. */
  deliveredCount = 0;
  readonly #cursor: Cursor;
  readonly #wanted: (message: Message) => boolean;
  readonly #stopListening: () => void;
  #next: number;
  #turn = 0;
  #pumping = false;
  #pumpAgain = false;
  #timer: NodeJS.Timeout | undefined;

  /** `checkpoint`: the first place to read. */
  constructor(
    private readonly log: EventLog,
    readonly definition: GroupDefinition,
    checkpoint: number,
  ) {
    const { source, filter } = definition;
    this.#next = checkpoint;
    this.#cursor = new Cursor(log.reader, source, false, checkpoint);
    const matches = filter ? matcherOf(filter) : () => true;
    const parked = parkedStreamOf(definition);
    // What this group has parked must not come back to it through $all.
    this.#wanted = ({ event }) => matches(event) && (source.kind === 'stream' || event.stream !== parked);
    this.checkpointer = new Checkpointer(log, definition, checkpoint, () => this.#finishedUpTo());
    const stream = source.kind === 'all' ? undefined : source.stream;
    this.#stopListening = log.signal.listen(stream, () => this.#pump());
  }

  /** @throws {GrpcFailure} where the group has all the consumers it may have. */
  admit(): void {
    const { source, group, settings } = this.definition;
    const { maxSubscriberCount } = settings;
    if (maxSubscriberCount > 0 && this.consumers.length >= maxSubscriberCount) throw groupFull(source, group);
  }

  connect(consumer: Consumer): void {
    this.consumers.push(consumer);
    this.#pump();
  }

  /** What the consumer had not answered for goes to the others, at once. */
  disconnect(consumer: Consumer): void {
    const index = this.consumers.indexOf(consumer);
    if (index < 0) return;
    this.consumers.splice(index, 1);
    this.messages.retries.unshift(...this.messages.takeAllOf(consumer).map(onceMore));
    this.#pump();
  }

  /** The event is done. */
  ack(id: EventId): void {
    if (this.messages.take(id) || this.messages.forgetRetry(id)) this.checkpointer.moved(1);
    this.#pump();
  }

  /** The consumer wants the event again, or has nobody who could take it: then it is parked. */
  retry(id: EventId, reason: string): void {
    const message = this.messages.take(id);
    if (message) this.#retryOrPark(message, reason);
    this.#pump();
  }

  park(id: EventId, reason: string): void {
    const message = this.messages.take(id);
    if (message) void this.#park(message, reason);
    this.#pump();
  }

  /** Ends the work, and writes the checkpoint. */
  async close(): Promise<void> {
    this.#stop();
    await this.checkpointer.close();
  }

  /** Ends the work of a group that was deleted: its consumers are told, and nothing more is written. */
  drop(): void {
    const { source, group } = this.definition;
    this.checkpointer.abandon();
    for (const consumer of this.#stop()) consumer.drop(groupDropped(source, group));
  }

  #stop(): Consumer[] {
    this.#stopListening();
    clearTimeout(this.#timer);
    return this.consumers.splice(0);
  }

  #finishedUpTo(): number {
    return this.messages.lowestPlace() ?? this.#next;
  }

  #retryOrPark(message: Message, reason: string): void {
    if (message.retryCount >= this.definition.settings.maxRetryCount) void this.#park(message, reason);
    else this.messages.retries.push(onceMore(message));
  }

  async #park(message: Message, reason: string): Promise<void> {
    this.messages.parking.add(message);
    try {
      await this.log.append(parkedLink(this.definition, message, reason));
      this.checkpointer.moved(1);
    } catch {
      // It could not be written (a full disk): the event stays in the group and is tried again.
      this.messages.retries.push(message);
    }
    this.messages.parking.delete(message);
    this.#pump();
  }

  /** Delivers as long as there are events and room. Calls while it runs make it look once more. */
  #pump(): void {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    this.#pumpAll().catch((fault: unknown) => {
      // The storage cannot be read: the consumers are told, and may come again.
      this.#pumping = false;
      for (const consumer of this.consumers.splice(0)) consumer.drop(asFailure(fault));
    });
  }

  async #pumpAll(): Promise<void> {
    while (this.#pumpAgain) {
      this.#pumpAgain = false;
      while (this.#deliverNext() || (this.#readMore() && (await nextTurn(true))));
    }
    this.#pumping = false;
  }

  #deliverNext(): boolean {
    const consumer = this.#nextConsumer();
    const message = consumer && this.messages.next();
    if (!message) return false;
    const { messageTimeoutMs, resolveLinks } = this.definition.settings;
    const deadline = messageTimeoutMs > 0 ? Date.now() + messageTimeoutMs : Number.POSITIVE_INFINITY;
    this.messages.outstanding.set(message.event.id, { ...message, consumer, deadline });
    this.deliveredCount += 1;
    consumer.deliver(deliveryOf(this.log.reader, { resolveLinks }, message.event), message.retryCount, () =>
      this.#pump(),
    );
    this.#watchTimeouts();
    return true;
  }

  /** Reads a batch where consumers have room and nothing is left; false where there is nothing to read. */
  #readMore(): boolean {
    const { fresh, retries } = this.messages;
    if (fresh.length > 0 || retries.length > 0 || !this.consumers.some(({ hasRoom }) => hasRoom))
      return false;
    const { source, settings } = this.definition;
    const batch = this.#cursor.read(Math.max(1, settings.readBatchSize));
    if (batch.length === 0) return false;
    const messages = batch.map((event) => ({
      event,
      place: source.kind === 'all' ? event.position : event.revision,
      retryCount: 0,
    }));
    this.#next = (messages.at(-1)?.place ?? this.#next) + 1;
    fresh.push(...messages.filter(this.#wanted));
    // Events that the filter leaves out are finished.
    if (fresh.length < messages.length) this.checkpointer.moved(0);
    return true;
  }

  #nextConsumer(): Consumer | undefined {
    if (this.definition.settings.strategy === 'DispatchToSingle')
      return this.consumers.find(({ hasRoom }) => hasRoom);
    for (let tried = 0; tried < this.consumers.length; tried += 1) {
      const consumer = this.consumers[this.#turn++ % this.consumers.length];
      if (consumer?.hasRoom) return consumer;
    }
    return undefined;
  }

  /** All messages have the same time, so that the oldest delivery is the first to run out of it. */
  #watchTimeouts(): void {
    if (this.#timer) return;
    const [oldest] = this.messages.outstanding.values();
    if (!oldest || oldest.deadline === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#timeOut(), Math.max(1, oldest.deadline - Date.now()));
  }

  #timeOut(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const { event, deadline } of [...this.messages.outstanding.values()]) {
      if (deadline > now) break;
      const message = this.messages.take(event.id);
      if (message) this.#retryOrPark(message, 'not acknowledged in time');
    }
    this.#pump();
    this.#watchTimeouts();
  }
}

const onceMore = ({ event, place, retryCount }: Message): Message => ({
  event,
  place,
  retryCount: retryCount + 1,
});

const parkedLink = (definition: GroupDefinition, { event }: Message, reason: string) => ({
  stream: parkedStreamOf(definition),
  expected: { kind: 'any' as const },
  events: [
    {
      id: EventId(randomUUID()),
      type: LINK_TYPE,
      contentType: 'application/octet-stream',
      data: Buffer.from(`${event.revision}@${event.stream}`),
      metadata: Buffer.from(JSON.stringify({ added: new Date().toISOString(), reason })),
    },
  ],
});
