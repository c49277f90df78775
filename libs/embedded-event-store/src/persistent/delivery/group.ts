import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { EventId } from '../../log/event-id.js';
import type { EventLog } from '../../log/event-log.js';
import { asFailure, type GrpcFailure } from '../../wire/grpc-failure.js';
import type { GroupDefinition } from '../definition/group-definition.js';
import { groupDropped, groupFull } from '../failures.js';
import { ParkedMessages } from '../parked/parked-messages.js';
import { Meter } from '../statistics/meter.js';
import type { Strategy } from '../strategies/strategy.js';
import { strategyOf } from '../strategies/strategy-of.js';
import { Checkpointer, type Progress } from './checkpointer.js';
import type { Consumer } from './consumer.js';
import { Intake } from './intake.js';
import { type Message, onceMore } from './message.js';
import { Messages } from './messages.js';
import { Timeouts } from './timeouts.js';

/** Limit of the waiting events' bytes, beyond which nothing is read ahead. */
const WAITING_BYTES_MAX = 8 * 2 ** 20;

/** The first place to read, and the checkpoint on disk. */
export type Start = { readonly first: number; readonly checkpoint: number | undefined };

/** A persistent subscription: delivers events to competing consumers, at least once and without guaranteed order. */
export class Group {
  readonly consumers: Consumer[] = [];
  readonly messages = new Messages<Consumer>();
  readonly parked: ParkedMessages;
  readonly checkpointer: Checkpointer;
  /** Deliveries since the start of the server, including redeliveries. */
  readonly meter = new Meter();
  readonly #strategy: Strategy<Consumer>;
  readonly #intake: Intake;
  readonly #timeouts: Timeouts;
  readonly #stopListening: () => void;
  #pumping = false;
  #pumpAgain = false;

  constructor(
    private readonly log: EventLog,
    readonly definition: GroupDefinition,
    start: Start,
  ) {
    const { source, settings } = definition;
    this.#strategy = strategyOf(settings.strategy);
    this.#intake = new Intake(log.reader, definition, start.first);
    this.parked = new ParkedMessages(log, definition);
    this.checkpointer = new Checkpointer(log, definition, start.checkpoint, () => this.progress());
    this.#timeouts = new Timeouts(this.messages.outstanding, (late) => this.retry(late));
    const stream = source.kind === 'all' ? undefined : source.stream;
    this.#stopListening = log.signal.listen(stream, () => this.#sourceGrew());
  }

  /** `Live` if all committed events were read, in EventStoreDB's words. */
  get status(): string {
    const place = this.#intake.caughtUp ? 'Live' : 'Behind';
    if (!this.parked.replaying) return place;
    return place === 'Live' ? 'ReplayingParkedMessages, Live' : 'Behind, ReplayingParkedMessages';
  }

  progress(): Progress {
    return this.messages.lowest() ?? { place: this.#intake.next, sequence: this.#intake.sequence };
  }

  /** @throws {GrpcFailure} if the group has its maximum number of consumers. */
  admit(): void {
    const { source, group, settings } = this.definition;
    const { maxSubscriberCount } = settings;
    if (maxSubscriberCount > 0 && this.consumers.length >= maxSubscriberCount) throw groupFull(source, group);
  }

  connect(consumer: Consumer): void {
    if (this.#isOver) {
      consumer.drop(this.#dropped());
      return;
    }
    this.consumers.push(consumer);
    const inFlight = [...this.messages.outstanding.values()].map(({ message }) => message.delivery);
    this.#strategy.add(consumer, inFlight);
    this.#pump();
  }

  /** Redelivers the consumer's unanswered events to the others at once. */
  disconnect(consumer: Consumer): void {
    const index = this.consumers.indexOf(consumer);
    if (index < 0) return;
    this.consumers.splice(index, 1);
    this.#strategy.remove(consumer);
    for (const message of this.messages.takeAllOf(consumer)) this.messages.addRetry(onceMore(message));
    this.#pump();
  }

  /** Acknowledges events. */
  ack(ids: readonly EventId[]): void {
    let count = 0;
    for (const id of ids) {
      const message = this.messages.take(id) ?? this.messages.takeRetry(id);
      if (message?.origin.kind === 'source') count += 1;
      else if (message) this.#finished(message);
    }
    // One call for the whole answer, so that no checkpoint falls inside it.
    this.checkpointer.finished(count);
    this.#pump();
  }

  /** Redelivers events; parks those above the retry limit. */
  retry(ids: readonly EventId[]): void {
    for (const message of this.#taken(ids)) this.#retryOrPark(message);
    this.#pump();
  }

  park(ids: readonly EventId[], reason: string): void {
    for (const message of this.#taken(ids)) void this.#park(message, `parked by a consumer: ${reason}`);
    this.#pump();
  }

  /** Replays parked events before the revision `stopAt` of the parked stream. */
  replayParked(stopAt?: number): void {
    this.parked.replay(stopAt);
    this.#pump();
  }

  /** Stops the group and writes its checkpoint. */
  async close(): Promise<void> {
    this.#stop();
    await this.checkpointer.close();
  }

  /** Stops a deleted or replaced group: drops its consumers and writes nothing more. */
  drop(): void {
    this.checkpointer.abandon();
    for (const consumer of this.#stop()) consumer.drop(this.#dropped());
  }

  /** Whether the source will never be readable again. */
  get #isOver(): boolean {
    const { source } = this.definition;
    return source.kind === 'stream' && this.log.reader.isTombstoned(source.stream);
  }

  #sourceGrew(): void {
    // In EventStoreDB the group's next read faults, which also drops the consumers.
    if (this.consumers.length > 0 && this.#isOver)
      for (const consumer of [...this.consumers]) consumer.drop(this.#dropped());
    else this.#pump();
  }

  #dropped(): GrpcFailure {
    return groupDropped(this.definition.source, this.definition.group);
  }

  #stop(): Consumer[] {
    this.#stopListening();
    this.#timeouts.stop();
    for (const consumer of this.consumers) this.#strategy.remove(consumer);
    return this.consumers.splice(0);
  }

  #finished({ origin }: Message): void {
    if (origin.kind === 'source') this.checkpointer.finished(1);
    else this.parked.finished(origin.revision);
  }

  #retryOrPark(message: Message): void {
    const { maxRetryCount } = this.definition.settings;
    if (message.retryCount < maxRetryCount) this.messages.addRetry(onceMore(message));
    else void this.#park(message, `redelivered ${maxRetryCount} times, the group's limit`);
  }

  async #park(message: Message, reason: string): Promise<void> {
    this.messages.parking.add(message);
    let parked = true;
    try {
      await this.parked.park(message, reason);
    } catch {
      // The write failed (a full disk): the event stays in the group, and is retried.
      parked = false;
    }
    this.messages.parking.delete(message);
    if (parked) this.#finished(message);
    else this.messages.addRetry(message);
    this.#pump();
  }

  #taken(ids: readonly EventId[]): Message[] {
    return ids.map((id) => this.messages.take(id)).filter((message) => message !== undefined);
  }

  /** Delivers while there are events and room. A call during a run makes it loop once more. */
  #pump(): void {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    this.#pumpAll().catch((fault: unknown) => {
      // The storage cannot be read: drops the consumers, which may reconnect.
      this.#pumping = false;
      for (const consumer of [...this.consumers]) consumer.drop(asFailure(fault));
    });
  }

  async #pumpAll(): Promise<void> {
    while (this.#pumpAgain) {
      this.#pumpAgain = false;
      do this.#deliverAll();
      while (this.#readMore() && (await yieldToLoop(true)));
    }
    this.#pumping = false;
  }

  #deliverAll(): void {
    const choose = ({ delivery }: Message) => this.#strategy.choose(delivery);
    for (let next = this.messages.next(choose); next; next = this.messages.next(choose))
      this.#deliver(next.message, next.consumer);
  }

  #deliver(message: Message, consumer: Consumer): void {
    const { messageTimeoutMs } = this.definition.settings;
    const deadline = messageTimeoutMs > 0 ? Date.now() + messageTimeoutMs : Number.POSITIVE_INFINITY;
    this.messages.deliver({ message, consumer, deadline });
    this.meter.count();
    consumer.send(message.delivery, message.retryCount, () => this.#pump());
    this.#timeouts.watch();
  }

  /** Reads a batch if the buffer has room; returns false if there is nothing to read. */
  #readMore(): boolean {
    const { waitingCount, waitingBytes } = this.messages;
    const { historyBufferSize, readBatchSize } = this.definition.settings;
    // A group that was stored before this was validated may have a batch larger than its buffer.
    const batchSize = Math.min(readBatchSize, historyBufferSize - 1);
    if (this.consumers.length === 0 || historyBufferSize - waitingCount <= batchSize) return false;
    if (waitingBytes >= WAITING_BYTES_MAX) return false;
    const replayed = this.parked.readReplayed(this.#intake.batchSize);
    for (const message of replayed) this.messages.addRetry(message);
    const batch = this.#intake.read();
    if (batch) {
      this.messages.addFresh(batch.messages);
      this.checkpointer.finished(batch.leftOutCount);
    }
    return replayed.length > 0 || batch !== undefined;
  }
}
